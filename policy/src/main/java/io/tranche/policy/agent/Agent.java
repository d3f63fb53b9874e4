package io.tranche.policy.agent;

import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.policy.weights.StateDict;
import java.util.Map;

/// A network with its heads, and the rule that turns their outputs into actions. Its weights are
/// always set, at random or from a file. An [io.tranche.policy.learn.Algorithm] may improve them.
///
/// Threads may share an agent while its weights do not change, each with its own policy.
public interface Agent<O extends Observation> {

  /// Returns all weights, and the keys under which files hold them.
  PolicyWeights weights();

  /// Takes other weights, or none.
  ///
  /// @param where the name of the weights in error messages
  /// @throws io.tranche.policy.weights.CheckpointException if they belong to another model
  default void load(String where, StateDict others) {
    weights().load(where, others);
  }

  /// Makes a policy for one thread. It always uses the current weights.
  ///
  /// @param maxRows maximum number of observations in a batch
  Policy<O> newPolicy(int maxRows);

  /// Makes a policy that follows days tick by tick, for one thread. It never samples, even if the
  /// configuration makes evaluation sample.
  ///
  /// @param maxRows maximum number of decisions in a batch
  /// @throws ConfigException if this agent, or its network, cannot
  default LivePolicy newLivePolicy(int maxRows) {
    throw new ConfigException(
        "policy", "one that can decide tick by tick", getClass().getSimpleName());
  }

  /// Makes an object, for one thread, that computes the scores by which actions are chosen.
  ///
  /// @param maxRows maximum number of observations in a batch
  /// @throws ConfigException if this agent does not choose by scores
  default Scores<O> newScores(int maxRows) {
    throw new ConfigException("policy", "one that chooses by scores", getClass().getSimpleName());
  }

  /// Returns the state besides the weights that actions depend on, such as the progress of
  /// exploration. With both, agents in two processes act alike.
  default Map<String, Double> actingState() {
    return Map.of();
  }

  /// Restores a state that [#actingState] returned.
  default void restoreActing(Map<String, Double> state) {}
}
