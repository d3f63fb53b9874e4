package io.tranche.policy.learn;

import io.tranche.env.Observation;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.experience.Transitions;

/// Improves an agent from its experience. A policy acts; an algorithm learns.
///
/// Used by one thread at a time; within an update it uses threads of its own.
public interface Algorithm<O extends Observation> {

  /// Returns the agent that is improved.
  Agent<O> agent();

  /// Whether it learns again from the experience of earlier iterations, which must then be kept.
  boolean isOffPolicy();

  /// Learns from experience.
  ///
  /// @param experience all steps to learn from
  /// @param key the random key of this update
  /// @throws DivergenceException if a loss, a gradient or a weight is not finite; the weights are
  ///   then unusable
  UpdateReport update(Transitions<O> experience, UpdateSettings settings, long key);

  /// As [#update(Transitions, UpdateSettings, long)], for an algorithm that depends on how far the
  /// run is or on what was measured. The trainer calls this method; what its report holds becomes
  /// metrics.
  default UpdateReport update(Transitions<O> experience, UpdateContext context) {
    return update(experience, context.settings(), context.key());
  }

  /// Returns the state besides the weights that the next update depends on.
  AlgorithmState state();

  /// Restores a state that [#state()] returned.
  void restore(AlgorithmState state);

  /// An algorithm around another one: it does what the other does, but for what it overrides.
  interface Around<O extends Observation> extends Algorithm<O> {

    Algorithm<O> inner();

    @Override
    default Agent<O> agent() {
      return inner().agent();
    }

    @Override
    default boolean isOffPolicy() {
      return inner().isOffPolicy();
    }

    @Override
    default UpdateReport update(Transitions<O> experience, UpdateSettings settings, long key) {
      return inner().update(experience, settings, key);
    }

    @Override
    default UpdateReport update(Transitions<O> experience, UpdateContext context) {
      return inner().update(experience, context);
    }

    @Override
    default AlgorithmState state() {
      return inner().state();
    }

    @Override
    default void restore(AlgorithmState state) {
      inner().restore(state);
    }
  }
}
