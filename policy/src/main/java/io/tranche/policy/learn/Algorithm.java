package io.tranche.policy.learn;

import io.tranche.env.Observation;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.experience.Transitions;

/// Improves an agent, given what it experienced. A policy acts; an algorithm learns.
///
/// Used by one thread at a time; within an update it uses threads of its own.
public interface Algorithm<O extends Observation> {

  /// Returns the agent that is improved.
  Agent<O> agent();

  /// Whether experience of earlier iterations is learnt from again, so that it is to be kept.
  boolean isOffPolicy();

  /// Learns.
  ///
  /// @param experience all that is to be learnt from
  /// @param key the key of all random draws of this update
  /// @throws DivergenceException if a loss, a gradient or a weight is not finite; the weights are
  ///   then spoilt
  UpdateReport update(Transitions<O> experience, UpdateSettings settings, long key);

  /// Returns everything besides the weights that the next update depends on.
  AlgorithmState state();

  /// Goes on from a state that [#state()] returned.
  void restore(AlgorithmState state);
}
