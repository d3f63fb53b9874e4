package io.tranche.env;

import io.tranche.env.space.Space;
import io.tranche.env.space.SpaceException;
import io.tranche.env.space.Value.ElementType;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Turns a simulator's state into what a policy sees. Stateless. Qlib:
/// `qlib.rl.interpreter.StateInterpreter`.
///
/// @param <S> the simulator's state
/// @param <O> the observation
public interface StateInterpreter<S, O extends Observation> {

  /// Returns an interpreter that shows a row of finite numbers.
  ///
  /// @param count how many numbers it shows
  /// @param show computes them
  static <S> StateInterpreter<S, Numbers> numbers(int count, Function<? super S, double[]> show) {
    var space =
        new Space.Box(ElementType.FLOAT64, List.of(count), -Double.MAX_VALUE, Double.MAX_VALUE);
    return new StateInterpreter<>() {
      @Override
      public Space observationSpace() {
        return space;
      }

      @Override
      public Numbers interpret(S state) {
        return new Numbers(show.apply(state));
      }

      @Override
      public ObservationCodec<Numbers> codec() {
        return new Numbers.Codec(count);
      }
    };
  }

  Space observationSpace();

  /// Returns the observation without validating it.
  O interpret(S state);

  /// Returns the observation, validated.
  ///
  /// Implementations on a hot path override this with a check that does not materialise arrays.
  ///
  /// @throws SpaceException naming the key, the bound and the value
  default O observe(S state) {
    O observation = interpret(state);
    observationSpace().validate(observation.toValue());
    return observation;
  }

  /// As [#observe(Object)], in an environment: override it to log. What is shown must not depend on
  /// the context, because judgements and live decisions have none; the state knows its step.
  ///
  /// @throws SpaceException as above
  default O observe(S state, EnvContext context) {
    return observe(state);
  }

  /// Returns the codec of observations, or null if they cannot be stored.
  default @Nullable ObservationCodec<O> codec() {
    return null;
  }
}
