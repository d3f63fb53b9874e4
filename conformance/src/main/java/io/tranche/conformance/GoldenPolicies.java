package io.tranche.conformance;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.executor.Strategy;
import io.tranche.env.Action;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.PolicyStrategy;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.DummyInterpreter;
import io.tranche.execution.interpreter.TwapRelativeInterpreter;
import io.tranche.execution.interpreter.TwapRelativeInterpreter.Estimate;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Strategies of golden backtests whose policies say what the case dictates.
final class GoldenPolicies {

  private GoldenPolicies() {}

  static Strategy.Factory strategy(JsonNode strategy) {
    return PolicyStrategy.Parts.of(
        new Scripted(strategy.get("scripted_actions")),
        new DummyInterpreter(),
        interpreter(strategy.get("action_interpreter")),
        strategy.get("data_granularity").intValue(),
        true);
  }

  private static ActionInterpreter<ExecutionState, ChildOrder> interpreter(JsonNode interpreter) {
    if (interpreter.isString()) {
      return new TwapRelativeInterpreter(Estimate.WHOLE_STEPS);
    }
    JsonNode maxSteps = interpreter.get("max_step");
    return new CategoricalInterpreter(
        CategoricalInterpreter.evenShares(interpreter.get("values").intValue()),
        maxSteps.isNull() ? null : (Integer) maxSteps.intValue());
  }

  /// Says one number after another, and the last one for ever.
  private static final class Scripted implements Policy<Observation> {
    private final JsonNode script;
    private int next;

    Scripted(JsonNode script) {
      this.script = script;
    }

    @Override
    public Action[] act(List<Observation> observations, long[] drawKeys, Mode mode) {
      JsonNode number = script.get(Math.min(next++, script.size() - 1));
      Action action =
          number.isIntegralNumber()
              ? new Action.Discrete(number.intValue())
              : new Action.Continuous(number.doubleValue());
      var actions = new Action[observations.size()];
      Arrays.fill(actions, action);
      return actions;
    }
  }
}
