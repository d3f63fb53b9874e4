package io.tranche.policy.catalog;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.space.Space;
import io.tranche.policy.agent.ActionDistribution;
import io.tranche.policy.agent.ActionDistribution.Head;
import io.tranche.policy.agent.InvalidActions;
import io.tranche.policy.agent.SquashedGaussian;
import io.tranche.policy.ppo.PpoConfig;

/// The distribution of an actor's actions, from the space of the action interpreter and the
/// settings `head` and `invalid_actions`.
final class HeadComponents {

  private HeadComponents() {}

  /// @throws ConfigException if the actions are not continuous within bounds
  static SquashedGaussian gaussian(
      LearningSettings settings, InvalidActions invalid, Space actions) {
    if (ActionDistribution.over(actions, Head.GAUSSIAN, invalid) instanceof SquashedGaussian made) {
      return made;
    }
    throw new ConfigException(
        settings.node().where(),
        "an action interpreter whose actions are continuous and have finite bounds, such as"
            + " TwapRelativeInterpreter with max_rate",
        actions);
  }

  /// @throws ConfigException if no actor can act in that space, or if settings of continuous
  ///   actions are given for choices
  static ActionDistribution distribution(
      LearningSettings settings, PpoConfig config, Space actions) {
    ActionDistribution made =
        ActionDistribution.over(actions, config.head(), config.invalidActions());
    if (made == null) {
      throw new ConfigException(
          settings.node().where(),
          "an action interpreter whose actions are discrete or have finite bounds, such as"
              + " TwapRelativeInterpreter with max_rate",
          actions);
    }
    if (made.bounds() == null) {
      for (String key : new String[] {"head", "invalid_actions"}) {
        ConfigNode given = settings.optional(key);
        if (given != null) {
          throw given.wrong("this setting only with continuous actions");
        }
      }
    }
    return made;
  }
}
