package io.tranche.policy.catalog;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.Observation;
import io.tranche.env.Space;
import io.tranche.policy.network.Network;
import io.tranche.tensor.Crew;
import org.jspecify.annotations.Nullable;

/// What an algorithm needs beyond its own settings.
///
/// @param network null if none is configured; only an algorithm that learns needs one
/// @param actions what the action interpreter accepts
/// @param crew does the work; stays the caller's
/// @param <O> the observation
public record AlgorithmContext<O extends Observation>(
    Network.@Nullable Factory<O> network, Space actions, Crew crew) {

  /// @throws ConfigException if there is none
  Network.Factory<O> networkFor(ConfigNode settings) {
    if (network == null) {
      throw new ConfigException(settings.where(), "a network beside the policy", "none");
    }
    return network;
  }

  /// Returns how many actions there are.
  ///
  /// @throws ConfigException if they cannot be counted
  int choicesFor(ConfigNode settings) {
    if (actions instanceof Space.Discrete(int count)) {
      return count;
    }
    throw new ConfigException(
        settings.where(), "an action interpreter whose actions are discrete", actions);
  }
}
