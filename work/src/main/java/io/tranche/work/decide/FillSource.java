package io.tranche.work.decide;

/// Where fills come from.
interface FillSource {

  /// Tells `order` of the fills before the tick of `day` that comes next.
  void settle(ReplayOrder order, ReplayDay day);

  /// Whether fills are made up from the bars, so that a comparison with TWAP means something.
  boolean areAssumed();
}
