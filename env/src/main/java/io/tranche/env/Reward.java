package io.tranche.env;

/// The reward of a step. Stateless. Qlib: `qlib.rl.reward.Reward`.
///
/// @param <S> the simulator's state
@FunctionalInterface
public interface Reward<S> {

  /// Returns the reward of the step that led to `state`; may log its parts.
  double reward(S state, EnvContext context);
}
