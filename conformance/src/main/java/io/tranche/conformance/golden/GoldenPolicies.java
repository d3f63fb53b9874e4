package io.tranche.conformance.golden;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.executor.Strategy;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.PolicyStrategy;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.DummyInterpreter;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.execution.interpreter.TwapRelativeInterpreter;
import io.tranche.execution.interpreter.TwapRelativeInterpreter.Estimate;
import io.tranche.market.Calendar;
import io.tranche.policy.agent.ActorCritic;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Strategies of golden backtests: networks with given weights, and policies whose actions the case
/// lists.
public final class GoldenPolicies {

  private GoldenPolicies() {}

  public static Strategy.Factory strategy(JsonNode strategy, Calendar calendar) {
    return strategy.has("policy") ? network(strategy, calendar) : scripted(strategy);
  }

  private static Strategy.Factory network(JsonNode strategy, Calendar calendar) {
    JsonNode states = strategy.get("state_interpreter");
    int dimension = states.get("data_dim").intValue();
    var features =
        new GoldenFeatures(
            strategy.get("features_today"),
            strategy.get("features_yesterday"),
            dimension,
            date -> {
              int day = calendar.dayOf(date);
              return calendar.times(calendar.dayStart(day), calendar.dayEnd(day));
            });
    ActionInterpreter<ExecutionState, ChildOrder> actions =
        interpreter(strategy.get("action_interpreter"));
    int choices = ((Space.Discrete) actions.actionSpace()).count();
    ActorCritic<FullHistoryObservation> agent =
        ActorCritic.create(
            GoldenLearning.recurrent(strategy.get("network"), dimension),
            choices,
            RandomTree.generator(0));
    GoldenLearning.load(agent.model().weights(), strategy.get("state_dict"));
    return PolicyStrategy.Parts.of(
        agent.newPolicy(1),
        new FullHistoryInterpreter(
            states.get("max_step").intValue(),
            states.get("data_ticks").intValue(),
            dimension,
            features),
        actions,
        strategy.get("data_granularity").intValue(),
        true);
  }

  private static Strategy.Factory scripted(JsonNode strategy) {
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

  /// Chooses one number after another, then repeats the last one.
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
