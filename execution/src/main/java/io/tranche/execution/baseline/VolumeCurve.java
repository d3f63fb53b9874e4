package io.tranche.execution.baseline;

/// How much the market is expected to trade in a part of an order's day. Safe to use from several
/// threads.
@FunctionalInterface
public interface VolumeCurve {

  /// Returns the volume between the ticks `from` (inclusive) and `to` (exclusive) of the day of
  /// `view`, none of them over; 0 if nothing is known of it.
  double usual(DecisionView view, int from, int to);
}
