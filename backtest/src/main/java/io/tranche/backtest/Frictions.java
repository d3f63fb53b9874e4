package io.tranche.backtest;

/// What keeps an order from filling its whole volume at the price it sees. Each part works alone
/// and with the others; Qlib's simple simulator knows only the first.
///
/// @param participation the fraction of a tick's volume that may be filled; infinite is off
/// @param lot fills are whole multiples of this; 0 is off
/// @param priceLimit buying is blocked where the price is up by this fraction since the previous
///   close, selling where it is down by it; infinite is off
/// @param latency how many ticks a decision takes to reach the market: it cannot trade in the first
///   ticks of its step
/// @param costs what trading costs
public record Frictions(
    double participation, double lot, double priceLimit, int latency, Costs costs) {

  public static final Frictions NONE =
      new Frictions(Double.POSITIVE_INFINITY, 0, Double.POSITIVE_INFINITY, 0, Costs.NONE);

  public Frictions {
    if (!(participation >= 0)) {
      throw new IllegalArgumentException(
          "participation must not be negative, was " + participation);
    }
    Costs.requireNotNegative("lot", lot);
    if (!(priceLimit > 0)) {
      throw new IllegalArgumentException("priceLimit must be positive, was " + priceLimit);
    }
    if (latency < 0) {
      throw new IllegalArgumentException("latency must not be negative, was " + latency);
    }
  }

  public Frictions withParticipation(double fraction) {
    return new Frictions(fraction, lot, priceLimit, latency, costs);
  }

  public Frictions withLot(double shares) {
    return new Frictions(participation, shares, priceLimit, latency, costs);
  }

  public Frictions withPriceLimit(double fraction) {
    return new Frictions(participation, lot, fraction, latency, costs);
  }

  public Frictions withLatency(int ticks) {
    return new Frictions(participation, lot, priceLimit, ticks, costs);
  }

  public Frictions withCosts(Costs other) {
    return new Frictions(participation, lot, priceLimit, latency, other);
  }
}
