package io.tranche.policy.network;

import io.tranche.env.space.Space;
import java.util.Set;

/// What an [Mlp] reads of the observations of a problem.
public sealed interface NetworkInput {

  /// Keys of observations that show the progress of an order.
  Set<String> PROGRESS_KEYS = Set.of("acquiring", "cur_step", "num_step", "target", "position");

  /// The progress of an order, and the features of the newest tick: observations are
  /// [io.tranche.market.feature.DayObservation]s.
  ///
  /// @param features the number of features per tick
  record Day(int features) implements NetworkInput {}

  /// The progress of an order: observations are [io.tranche.market.feature.ProgressObservation]s.
  record Progress() implements NetworkInput {}

  /// All numbers of something else, which is known by its space alone.
  record Values(Space space) implements NetworkInput {}

  static NetworkInput of(BuildContext context) {
    if (context.features() > 0) {
      return new Day(context.features());
    }
    return context.observations() instanceof Space.Dict(var keys)
            && keys.keySet().containsAll(PROGRESS_KEYS)
        ? new Progress()
        : new Values(context.observations());
  }
}
