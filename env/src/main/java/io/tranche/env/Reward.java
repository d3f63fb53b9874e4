package io.tranche.env;

/// What a step was worth. Stateless. Qlib: `qlib.rl.reward.Reward`.
///
/// @param <S> the simulator's state
@FunctionalInterface
public interface Reward<S> {

  /// Returns the worth of the step that led to `state`; may log its parts.
  double reward(S state, EnvContext context);
}
