package io.tranche.work.decide;

/// Where fills come from.
interface FillSource {

  /// Passes the fills before the next tick of `day` to `order`.
  void settle(ReplayOrder order, ReplayDay day);

  /// Whether fills are assumed from the bars, so that a comparison with TWAP is meaningful.
  boolean areAssumed();
}
