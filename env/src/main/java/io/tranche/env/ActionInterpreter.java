package io.tranche.env;

import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.SpaceException;
import java.util.function.BiFunction;

/// Turns an action of the policy into one of the simulator. Stateless. Qlib:
/// `qlib.rl.interpreter.ActionInterpreter`.
///
/// @param <S> the simulator's state
/// @param <A> the simulator's action
public interface ActionInterpreter<S, A> {

  /// Returns an interpreter of choices.
  ///
  /// @param count how many choices there are
  /// @param read returns the simulator's action for a choice, from 0 to `count - 1`
  static <S, A> ActionInterpreter<S, A> choices(
      int count, BiFunction<? super S, Integer, ? extends A> read) {
    var space = new Space.Discrete(count);
    return new ActionInterpreter<>() {
      @Override
      public Space actionSpace() {
        return space;
      }

      @Override
      public A interpret(S state, Action action) {
        return read.apply(state, (int) action.number());
      }
    };
  }

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

  /// As [#act(Object, Action)], in an environment: override it to log. The simulator's action must
  /// not depend on the context, because judgements and live decisions have none.
  ///
  /// @throws SpaceException as above
  default A act(S state, Action action, EnvContext context) {
    return act(state, action);
  }
}
