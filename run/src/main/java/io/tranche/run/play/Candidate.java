package io.tranche.run.play;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Action;
import io.tranche.execution.DeviationGuard;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.baseline.Baseline;
import io.tranche.execution.baseline.DecisionInterpreter;
import io.tranche.execution.baseline.DecisionView;
import io.tranche.execution.interpreter.VolumeInterpreter;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// A policy to be evaluated, with the interpreters of its observations and actions.
///
/// @param name for tables and messages
/// @param policies makes a policy for one thread, given the largest number of observations per call
/// @param guard how far the policy may deviate from TWAP; null for as far as it wants
/// @param <O> the observation
public record Candidate<O extends Observation>(
    String name,
    StateInterpreter<ExecutionState, O> states,
    ActionInterpreter<ExecutionState, ChildOrder> actions,
    IntFunction<? extends Policy<O>> policies,
    @Nullable DeviationGuard guard) {

  /// A policy without a guard.
  public Candidate(
      String name,
      StateInterpreter<ExecutionState, O> states,
      ActionInterpreter<ExecutionState, ChildOrder> actions,
      IntFunction<? extends Policy<O>> policies) {
    this(name, states, actions, policies, null);
  }

  /// Returns what an action sends to the market.
  ChildOrder childOrder(ExecutionState state, Action action) {
    ChildOrder wanted = actions.act(state, action);
    return guard == null ? wanted : guard.limit(state, wanted);
  }

  /// Returns a candidate that follows a rule. All threads share the rule.
  public static Candidate<DecisionView> rule(String name, Baseline rule) {
    return new Candidate<>(name, new DecisionInterpreter(), new VolumeInterpreter(), _ -> rule);
  }
}
