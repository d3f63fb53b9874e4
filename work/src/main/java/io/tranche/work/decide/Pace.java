package io.tranche.work.decide;

/// The pace at which stored bars are replayed.
@FunctionalInterface
public interface Pace {

  /// As fast as possible.
  Pace UNLIMITED = _ -> true;

  /// Waits until it is time for the bars of a tick.
  ///
  /// @param time the [io.tranche.market.BarTime] of their start
  /// @return whether to go on
  boolean await(long time);
}
