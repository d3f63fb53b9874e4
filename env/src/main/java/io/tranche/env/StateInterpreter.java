package io.tranche.env;

import io.tranche.env.space.Space;
import io.tranche.env.space.SpaceException;
import org.jspecify.annotations.Nullable;

/// Turns a simulator's state into what a policy sees. Stateless. Qlib:
/// `qlib.rl.interpreter.StateInterpreter`.
///
/// @param <S> the simulator's state
/// @param <O> the observation
public interface StateInterpreter<S, O extends Observation> {

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

  /// Returns the codec of observations, or null if they cannot be stored.
  default @Nullable ObservationCodec<O> codec() {
    return null;
  }
}
