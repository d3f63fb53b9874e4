package io.tranche.env;

import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.SpaceException;

/// Turns an action of the policy into one of the simulator. Stateless. Qlib:
/// `qlib.rl.interpreter.ActionInterpreter`.
///
/// @param <S> the simulator's state
/// @param <A> the simulator's action
public interface ActionInterpreter<S, A> {

  Space actionSpace();

  /// Returns the simulator's action without validating the policy's.
  A interpret(S state, Action action);

  /// Validates the policy's action, then interprets it.
  ///
  /// @throws SpaceException naming the bound and the value
  default A act(S state, Action action) {
    actionSpace().validate(action);
    return interpret(state, action);
  }
}
