package io.tranche.conformance.learning;

import io.tranche.env.space.Space;
import io.tranche.policy.network.BuildContext;

/// What the agents of golden cases are made for.
final class LearningContext {

  private LearningContext() {}

  /// Qlib's agents look at the actions only.
  static BuildContext of(Space actions) {
    return BuildContext.of(actions, actions, 1);
  }
}
