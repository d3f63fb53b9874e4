package io.tranche.run.play;

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

/// A policy to be evaluated, with the interpreters of its observations and actions.
///
/// @param name for tables and messages
/// @param policies makes a policy for one thread, given the largest number of observations per call
/// @param <O> the observation
public record Candidate<O extends Observation>(
    String name,
    StateInterpreter<ExecutionState, O> states,
    ActionInterpreter<ExecutionState, ChildOrder> actions,
    IntFunction<? extends Policy<O>> policies) {

  /// Returns a candidate that follows a rule. All threads share the rule.
  public static Candidate<DecisionView> rule(String name, Baseline rule) {
    return new Candidate<>(name, new DecisionInterpreter(), new VolumeInterpreter(), _ -> rule);
  }
}
