package io.tranche.execution.interpreter;

import io.tranche.env.Observation;
import io.tranche.env.StateInterpreter;
import io.tranche.env.vector.Codec;
import io.tranche.execution.ExecutionState;

/// A state interpreter whose observations can be made in one process and looked at in another.
///
/// @param <O> the observation
public interface CodedInterpreter<O extends Observation>
    extends StateInterpreter<ExecutionState, O> {

  /// Returns how observations cross. Data that both sides can open themselves stay where they are.
  Codec<O> codec();
}
