package io.tranche.backtest;

/// An order that a decision sends to the market: a volume and how to trade it.
///
/// A child order lives until the next decision; what it has not filled by then is withdrawn.
///
/// @param volume how much to trade; the caller checks it against what remains of the parent
public record ChildOrder(double volume, Kind kind) {

  /// How a child order trades.
  public sealed interface Kind {

    Kind MARKET = new Market();

    /// At the deal price of each tick, spread evenly over the ticks until the next decision.
    record Market() implements Kind {}

    /// At a limit price or better, resting until the next decision.
    ///
    /// @param offsetBps how much better than the reference price the limit is, in basis points of
    ///   the reference: a positive offset rests (a buy below, a sell above), a negative one
    ///   crosses. [Matching] defines the reference and when a limit fills.
    record Limit(double offsetBps) implements Kind {
      public Limit {
        if (!Double.isFinite(offsetBps)) {
          throw new IllegalArgumentException("offsetBps must be finite, was " + offsetBps);
        }
      }
    }

    /// Withdraws what is working and sends nothing; the volume is zero.
    record Cancel() implements Kind {}
  }

  public ChildOrder {
    if (kind instanceof Kind.Cancel && volume != 0) {
      throw new IllegalArgumentException("volume of a cancel must be 0, was " + volume);
    }
  }

  public static ChildOrder market(double volume) {
    return new ChildOrder(volume, Kind.MARKET);
  }

  public static ChildOrder limit(double volume, double offsetBps) {
    return new ChildOrder(volume, new Kind.Limit(offsetBps));
  }

  /// Returns what an order's last decision sends under [FillRule#NATIVE]: all that remains, and by
  /// a market order if this is a cancel.
  public ChildOrder withAll(double remaining) {
    return new ChildOrder(remaining, kind instanceof Kind.Cancel ? Kind.MARKET : kind);
  }

  public static ChildOrder cancel() {
    return new ChildOrder(0, new Kind.Cancel());
  }
}
