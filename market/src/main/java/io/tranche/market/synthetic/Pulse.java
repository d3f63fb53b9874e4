package io.tranche.market.synthetic;

/// The pulse of one day as [IntradayLaw] defines it, kept from the published bars. The generator
/// and the optimum both use this one, so both mean the same number. Not thread-safe.
final class Pulse {

  private final double decay;
  private final double dayVolatility;
  private double value;
  private double lastPrice = Double.NaN;

  Pulse(IntradayLaw law, double dayVolatility) {
    this.decay = law.decay();
    this.dayVolatility = dayVolatility;
  }

  double value() {
    return value;
  }

  /// Takes the next bar, or NaN if it is missing: the last price stays, and the next bar's return
  /// makes up for it.
  void see(float open, float close) {
    value *= decay;
    if (!Float.isNaN(close)) {
      double from = Double.isNaN(lastPrice) ? open : lastPrice;
      value += StrictMath.log(close / from) / dayVolatility;
      lastPrice = close;
    }
  }
}
