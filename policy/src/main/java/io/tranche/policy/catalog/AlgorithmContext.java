package io.tranche.policy.catalog;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.space.Space;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.network.Network;
import org.jspecify.annotations.Nullable;

/// What an algorithm needs beyond its own settings.
///
/// @param network null if none is configured; only an algorithm that learns needs one
/// @param actions what the action interpreter accepts
/// @param parallel does the work; stays the caller's
/// @param distillation the teacher of an algorithm that can be taught; null for none
/// @param <O> the observation
public record AlgorithmContext<O extends Observation>(
    Network.@Nullable Factory<O> network,
    Space actions,
    ParallelFor parallel,
    @Nullable Distillation<O> distillation) {

  /// Without a teacher.
  public AlgorithmContext(
      Network.@Nullable Factory<O> network, Space actions, ParallelFor parallel) {
    this(network, actions, parallel, null);
  }

  /// Makes an algorithm that learns.
  ///
  /// @param <O> the observation
  @FunctionalInterface
  interface Learner<O extends Observation> {

    /// @param choices how many actions there are
    Algorithm<O> create(Network.Factory<O> network, int choices, ParallelFor parallel);
  }

  /// Returns the setup of an algorithm that learns.
  ///
  /// @throws ConfigException if there is no network, or actions cannot be counted
  AlgorithmSetup<O> setup(ConfigNode settings, Learner<O> learner) {
    Network.Factory<O> given = network;
    if (given == null) {
      throw new ConfigException(settings.where(), "a network beside the policy", "none");
    }
    if (!(actions instanceof Space.Discrete(int choices))) {
      throw new ConfigException(
          settings.where(), "an action interpreter whose actions are discrete", actions);
    }
    return new AlgorithmSetup<>(
        () -> learner.create(given, choices, parallel), LearningSettings.weightFile(settings));
  }
}
