package io.tranche.execution.interpreter;

import io.tranche.env.Observation;
import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.ExecutionState;
import java.util.Map;

/// Shows a policy nothing. Qlib: `DummyStateInterpreter`.
public record DummyInterpreter() implements StateInterpreter<ExecutionState, Observation> {

  private static final Value NOTHING =
      new Value.Dict(Map.of("DUMMY", FullHistoryObservation.int32(1)));

  /// The bounds that gym derives from infinities converted to 32-bit integers.
  private static final Space SPACE =
      new Space.Dict(
          Map.of(
              "DUMMY",
              Space.Box.scalar(
                  ElementType.INT32, Integer.MIN_VALUE + 2.0, Integer.MAX_VALUE - 2.0)));

  private static final Observation OBSERVATION = () -> NOTHING;

  @Override
  public Space observationSpace() {
    return SPACE;
  }

  @Override
  public Observation interpret(ExecutionState state) {
    return OBSERVATION;
  }

  @Override
  public Observation observe(ExecutionState state) {
    return OBSERVATION;
  }
}
