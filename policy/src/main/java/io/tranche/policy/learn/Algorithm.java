package io.tranche.policy.learn;

import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.agent.Scores;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.weights.KeyMap;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.tensor.Weights;
import java.util.List;
import java.util.random.RandomGenerator;

/// What makes a policy better, given what it experienced. A policy acts; an algorithm learns.
///
/// Used by one thread at a time; within an update it uses threads of its own.
///
/// @param <O> the observation
public interface Algorithm<O extends Observation> {

  /// Returns the weights that are improved.
  Weights weights();

  /// Returns all weights that a file of weights holds, and under which keys.
  default PolicyWeights policyWeights() {
    return new PolicyWeights(List.of(new PolicyWeights.Part(weights(), KeyMap.OWN)));
  }

  /// Draws all weights; nothing where there are none.
  default void initialise(RandomGenerator random) {}

  /// Makes a policy that acts by the weights as they are at the moment of acting, for one thread.
  ///
  /// @param maxRows how many observations come at once at most
  Policy<O> newPolicy(int maxRows);

  /// Makes a policy that follows days tick by tick, for one thread. It always does its best, even
  /// if the configuration has it draw.
  ///
  /// @param maxRows how many decisions are taken at once at most
  /// @throws ConfigException if this algorithm, or its network, cannot
  default LivePolicy newLivePolicy(int maxRows) {
    throw new ConfigException(
        "policy", "one that can decide tick by tick", getClass().getSimpleName());
  }

  /// Makes what tells by which scores the policy chooses, for one thread.
  ///
  /// @param maxRows how many observations come at once at most
  /// @throws ConfigException if this algorithm does not choose by scores
  default Scores<O> newScores(int maxRows) {
    throw new ConfigException("policy", "one that chooses by scores", getClass().getSimpleName());
  }

  /// Whether experience of earlier iterations is learnt from again, so that it is to be kept.
  boolean isOffPolicy();

  /// Learns.
  ///
  /// @param experience all that is to be learnt from
  /// @param key what all random draws of this update come from
  /// @throws DivergenceException if a loss, a gradient or a weight is not finite; the weights are
  ///   then spoilt
  UpdateReport update(Transitions<O> experience, UpdateSettings settings, long key);

  /// Returns everything besides the weights that the next update depends on.
  AlgorithmState state();

  /// Goes on from a state that [#state()] returned.
  void restore(AlgorithmState state);

  /// Returns the part of [#state()] that policies act by: with it and the weights those of another
  /// process act alike.
  default AlgorithmState actingState() {
    return state();
  }

  /// Lets policies act by what [#actingState()] of another process returned.
  default void restoreActing(AlgorithmState state) {
    restore(state);
  }
}
