package io.tranche.market.synthetic;

import io.tranche.market.synthetic.IntradayLaw.Pulse;

/// The number that predicts the price of one day under a [Law], kept from the published bars. The
/// generator and the optimum both use this one, so both mean the same number. Not thread-safe.
final class DayState {

  private final Law law;
  private final IntradayLaw clock;
  private final double usualVolume;
  private final Pulse pulse;
  private final double[] leads;
  private final int firstRow;
  private int tick;
  private double lean;

  /// @param leads the leader's pulse before each bar of the market; empty if nobody leads
  /// @param firstRow the first bar of the day among them
  DayState(
      Law law,
      IntradayLaw clock,
      Instrument instrument,
      double dayVolatility,
      double[] leads,
      int firstRow) {
    this.law = law;
    this.clock = clock;
    this.usualVolume = instrument.lots() * SyntheticMarket.LOT;
    this.pulse = new Pulse(clock, dayVolatility);
    this.leads = leads;
    this.firstRow = firstRow;
  }

  double value() {
    return switch (law) {
      case PULSE, REGIMES, REVERSAL -> pulse.value();
      case LEAD_LAG -> leads.length == 0 ? 0 : leads[firstRow + tick];
      case FLOW -> lean;
      case DRIFT, IMPACT -> 0;
    };
  }

  /// Takes the next bar, with NaN for what is missing.
  ///
  /// @param bids size at the best bid; only [Law#FLOW] looks at it
  void see(float open, float close, float volume, float bids, float asks) {
    if (law == Law.FLOW) {
      // An empty side, or a missing bar, leans nowhere.
      lean = bids > 0 && asks > 0 ? StrictMath.log((double) bids / asks) : 0;
    } else {
      boolean counts =
          law != Law.REVERSAL
              || LargeTrades.isLarge(volume, usualVolume * clock.volumeShare(tick));
      pulse.see(open, close, counts);
    }
    tick++;
  }
}
