package io.tranche.work.decide;

import io.tranche.run.play.OrderResult;
import org.jspecify.annotations.Nullable;

/// Where fills come from.
interface FillSource {

  /// Passes the fills before the next tick of `day` to `order`.
  void settle(ReplayOrder order, ReplayDay day);

  /// Returns the result of an order that is over, compared with the mean price of its window; null
  /// if its fills were not assumed from the bars, so that a comparison has no meaning.
  @Nullable OrderResult result(ReplayOrder order, ReplayDay day);
}
