package io.tranche.run;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.baseline.Baseline;
import io.tranche.execution.baseline.DecisionInterpreter;
import io.tranche.execution.baseline.DecisionView;
import io.tranche.execution.interpreter.VolumeInterpreter;
import java.util.function.IntFunction;

/// A policy that is to be evaluated, with what it sees and what its actions mean.
///
/// @param name what to call it
/// @param policies makes one for a thread, given how many observations come at once at most
/// @param <O> the observation
public record Candidate<O extends Observation>(
    String name,
    StateInterpreter<ExecutionState, O> states,
    ActionInterpreter<ExecutionState, ChildOrder> actions,
    IntFunction<? extends Policy<O>> policies) {

  /// Returns a rule, which any number of threads may share.
  public static Candidate<DecisionView> rule(String name, Baseline rule) {
    return new Candidate<>(name, new DecisionInterpreter(), new VolumeInterpreter(), _ -> rule);
  }
}
