package io.tranche.conformance.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.conformance.golden.GoldenEpisodes;
import io.tranche.conformance.golden.GoldenFeatures;
import io.tranche.conformance.golden.GoldenValue;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.Observation;
import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.SpaceException;
import io.tranche.env.space.Value;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulator;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.CurrentStepInterpreter;
import io.tranche.execution.interpreter.DummyInterpreter;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.TwapRelativeInterpreter;
import io.tranche.execution.interpreter.TwapRelativeInterpreter.Estimate;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.feature.FeatureSource;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// `interpreters.json`: observations and the meaning of actions, in states of the simple simulator.
///
/// Errors are compared by the type that Qlib raises.
public final class InterpretersTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private InterpretersTopic() {}

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    String kind = input.get("kind").asString();
    return switch (kind) {
      case "state" -> states(input);
      case "action" -> actions(input, testCase.get("expected"));
      case "action_validation" -> ValidationCases.actions(input, actionInterpreter(input));
      case "space_contains" -> ValidationCases.spaces(input);
      default -> throw new DataException("input.kind", "a known kind", kind);
    };
  }

  private static ObjectNode states(JsonNode input) {
    StateInterpreter<ExecutionState, ?> interpreter = stateInterpreter(input);
    ObjectNode answer = JSON.objectNode();
    answer.set("observation_space", GoldenValue.json(interpreter.observationSpace()));
    ArrayNode states = answer.putArray("states");
    SimpleSimulator simulator = simulator(input);
    states.add(state(interpreter, simulator.state()));
    for (JsonNode action : input.get("actions")) {
      simulator.step(ChildOrder.market(action.doubleValue()));
      states.add(state(interpreter, simulator.state()));
    }
    return answer;
  }

  private static ObjectNode state(
      StateInterpreter<ExecutionState, ?> interpreter, ExecutionState state) {
    ObjectNode node =
        JSON.objectNode()
            .put("cur_time", BarTime.format(state.time()))
            .put("cur_step", state.step())
            .put("position", state.remaining());
    Observation[] seen = {null};
    // Qlib's assertion, and numpy's error on a history that does not fit.
    String tooManySteps =
        interpreter instanceof CurrentStepInterpreter ? "AssertionError" : "ValueError";
    String error = error(() -> seen[0] = interpreter.interpret(state), tooManySteps);
    node.set("obs", seen[0] == null ? JSON.nullNode() : observation(seen[0].toValue()));
    return node.put("interpret_error", error)
        .put("call_error", error(() -> interpreter.observe(state), tooManySteps));
  }

  private static ObjectNode observation(Value value) {
    ObjectNode node = JSON.objectNode();
    if (value instanceof Value.Dict(var entries)) {
      entries.forEach((key, leaf) -> node.set(key, GoldenValue.leaf(leaf)));
    }
    return node;
  }

  private static ObjectNode actions(JsonNode input, JsonNode expected) {
    ActionInterpreter<ExecutionState, ChildOrder> interpreter = actionInterpreter(input);
    ObjectNode answer = JSON.objectNode();
    answer.set("action_space", GoldenValue.json(interpreter.actionSpace()));
    answer.set("action_values", shares(interpreter));
    ArrayNode states = answer.putArray("states");
    SimpleSimulator simulator = simulator(input);
    JsonNode volumes = input.get("step_actions");
    for (int step = 0; step < expected.get("states").size(); step++) {
      if (step > 0) {
        simulator.step(ChildOrder.market(volumes.get(step - 1).doubleValue()));
      }
      ExecutionState state = simulator.state();
      ArrayNode results =
          states
              .addObject()
              .put("cur_step", state.step())
              .put("position", state.remaining())
              .put("position_type", "float64")
              .putArray("results");
      // The actions are only written beside their results.
      for (JsonNode result : expected.get("states").get(step).get("results")) {
        results.add(result(interpreter, state, result.get("action")));
      }
    }
    return answer;
  }

  private static ObjectNode result(
      ActionInterpreter<ExecutionState, ChildOrder> interpreter,
      ExecutionState state,
      JsonNode tried) {
    Action action =
        tried.isIntegralNumber()
            ? new Action.Discrete(tried.intValue())
            : new Action.Continuous(tried.doubleValue());
    ChildOrder[] child = {null};
    String error = error(() -> child[0] = interpreter.interpret(state, action), "");
    ObjectNode node = JSON.objectNode();
    node.set("action", tried);
    node.set("volume", child[0] == null ? JSON.nullNode() : JSON.numberNode(child[0].volume()));
    return node.put("error", error)
        .put("call_error", error(() -> interpreter.act(state, action), ""));
  }

  private static JsonNode shares(ActionInterpreter<ExecutionState, ChildOrder> interpreter) {
    return interpreter instanceof CategoricalInterpreter(var shares, _)
        ? GoldenValue.tree(shares)
        : JSON.nullNode();
  }

  /// Returns the name of Qlib's error in place of ours, null if there is none.
  private static @Nullable String error(Runnable attempt, String forArguments) {
    try {
      attempt.run();
      return null;
    } catch (SpaceException e) {
      return "GymSpaceValidationError";
    } catch (IllegalStateException e) {
      return "ZeroDivisionError"; // how Qlib notices that an order is finished
    } catch (IllegalArgumentException e) {
      return forArguments;
    }
  }

  /// Returns the simulator of a case, which gives only the length of its steps.
  private static SimpleSimulator simulator(JsonNode input) {
    var whole = (ObjectNode) input.deepCopy();
    whole
        .putObject("params")
        .put("data_granularity", 1)
        .put("deal_price", "close")
        .putNull("vol_threshold")
        .set("ticks_per_step", input.get("ticks_per_step"));
    return GoldenEpisodes.simulators(whole).create(GoldenEpisodes.order(input));
  }

  private static StateInterpreter<ExecutionState, ?> stateInterpreter(JsonNode input) {
    JsonNode args = input.get("args");
    String name = input.get("interpreter").asString();
    return switch (name) {
      case "FullHistoryStateInterpreter" ->
          new FullHistoryInterpreter(
              args.get("max_step").intValue(),
              args.get("data_ticks").intValue(),
              args.get("data_dim").intValue(),
              features(input));
      case "CurrentStepStateInterpreter" ->
          CurrentStepInterpreter.qlib(args.get("max_step").intValue());
      case "DummyStateInterpreter" -> new DummyInterpreter();
      default -> throw new DataException("input.interpreter", "a state interpreter", name);
    };
  }

  private static ActionInterpreter<ExecutionState, ChildOrder> actionInterpreter(JsonNode input) {
    String name = input.get("interpreter").asString();
    return switch (name) {
      case "CategoricalActionInterpreter" -> categorical(input.path("args"));
      case "TwapRelativeActionInterpreter" -> new TwapRelativeInterpreter(Estimate.WHOLE_STEPS);
      default -> throw new DataException("input.interpreter", "an action interpreter", name);
    };
  }

  /// The cases on odd actions have no arguments; their name says that there are four values.
  private static CategoricalInterpreter categorical(JsonNode args) {
    JsonNode values = args.path("values");
    JsonNode maxSteps = args.path("max_step");
    return new CategoricalInterpreter(
        values.isArray()
            ? values.valueStream().map(JsonNode::doubleValue).toList()
            : CategoricalInterpreter.evenShares(values.asInt(4)),
        maxSteps.isNumber() ? maxSteps.intValue() : null);
  }

  private static FeatureSource features(JsonNode input) {
    JsonNode times = input.get("data").get("datetime");
    long[] ticks = times.valueStream().mapToLong(time -> BarTime.parse(time.asString())).toArray();
    return new GoldenFeatures(
        input.get("today"),
        input.get("yesterday"),
        input.get("args").get("data_dim").intValue(),
        _ -> ticks);
  }
}
