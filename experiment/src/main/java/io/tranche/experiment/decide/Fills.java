package io.tranche.experiment.decide;

/// Where fills come from.
interface Fills {

  /// Tells `order` of the fills before the tick of `day` that comes next.
  void settle(DeskOrder order, DeskDay day);

  /// Whether fills are made up from the bars, so that a comparison with TWAP means something.
  boolean areAssumed();
}
