package io.tranche.work.decide;

/// When bars that are all there are told.
@FunctionalInterface
public interface Pace {

  /// As fast as possible.
  Pace UNLIMITED = _ -> true;

  /// Waits until the bars of a tick are to be told.
  ///
  /// @param time the [io.tranche.market.BarTime] of their start
  /// @return whether to go on
  boolean await(long time);
}
