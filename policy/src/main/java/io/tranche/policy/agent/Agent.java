package io.tranche.policy.agent;

import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.policy.weights.PolicyWeights;
import java.util.Map;

/// A network with its heads, and how what they give becomes actions. Its weights are always set:
/// drawn, or loaded. An [io.tranche.policy.learn.Algorithm] may improve them.
///
/// Any number of threads may share an agent whose weights do not change, each with its own policy.
public interface Agent<O extends Observation> {

  /// Returns all weights, and the keys under which files hold them.
  PolicyWeights weights();

  /// Makes a policy for one thread. It acts by the weights as they are at the moment of acting.
  ///
  /// @param maxRows how many observations come at once at most
  Policy<O> newPolicy(int maxRows);

  /// Makes a policy that follows days tick by tick, for one thread. It never draws, even if the
  /// configuration has evaluation draw.
  ///
  /// @param maxRows how many decisions are taken at once at most
  /// @throws ConfigException if this agent, or its network, cannot
  default LivePolicy newLivePolicy(int maxRows) {
    throw new ConfigException(
        "policy", "one that can decide tick by tick", getClass().getSimpleName());
  }

  /// Makes what computes the scores that actions are chosen by, for one thread.
  ///
  /// @param maxRows how many observations come at once at most
  /// @throws ConfigException if this agent does not choose by scores
  default Scores<O> newScores(int maxRows) {
    throw new ConfigException("policy", "one that chooses by scores", getClass().getSimpleName());
  }

  /// Returns what policies act by besides the weights, such as how far exploration has faded. With
  /// both, the agents of two processes act alike.
  default Map<String, Double> actingState() {
    return Map.of();
  }

  /// Takes what [#actingState] returned.
  default void restoreActing(Map<String, Double> state) {}
}
