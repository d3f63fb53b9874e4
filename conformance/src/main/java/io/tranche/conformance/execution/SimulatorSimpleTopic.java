package io.tranche.conformance.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.conformance.golden.ErrorKind;
import io.tranche.conformance.golden.GoldenEpisodes;
import io.tranche.conformance.golden.GoldenMetrics;
import io.tranche.env.EnvContext;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.execution.ExecutionMetrics;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulator;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// `simulator_simple.json.gz`: the simple simulator, stepped with fixed volumes.
///
/// Errors are compared by the type that Qlib raises: an assertion is an episode that is over or a
/// setting that is wrong, a ValueError a volume that is refused, an IndexError an empty window.
public final class SimulatorSimpleTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final Map<ErrorKind, String> CONSTRUCTOR_ERRORS =
      Map.of(
          ErrorKind.of(
              IllegalArgumentException.class, "minutesPerStep must be a positive multiple"),
          "AssertionError",
          ErrorKind.of(DataException.class, "expected a tick of the day in its window"),
          "IndexError");

  private static final Map<ErrorKind, String> STEP_ERRORS =
      Map.of(
          ErrorKind.of(IllegalStateException.class, "order must not be finished"),
          "AssertionError",
          ErrorKind.of(IllegalArgumentException.class, "volume must be in [0, "),
          "ValueError");

  private SimulatorSimpleTopic() {}

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    var log = new LogCollector(LogLevel.PERIODIC);
    SimpleSimulator simulator;
    try {
      simulator =
          GoldenEpisodes.simulators(input)
              .create(GoldenEpisodes.order(input), EnvContext.outside(log));
    } catch (IllegalArgumentException | DataException e) {
      return JSON.objectNode().put("constructor_error", ErrorKind.qlibName(CONSTRUCTOR_ERRORS, e));
    }
    ObjectNode answer = JSON.objectNode();
    answer.set("initial", initial(simulator));
    ArrayNode steps = answer.putArray("steps");
    for (JsonNode action : input.get("actions")) {
      ObjectNode step = step(simulator, action.doubleValue());
      steps.add(step);
      if (step.has("error")) {
        break;
      }
    }
    addMetrics(answer, simulator.state().metrics(), log);
    if (testCase.get("expected").has("step_after_done_error")) {
      answer.put("step_after_done_error", step(simulator, 0).path("error").asString());
    }
    return answer;
  }

  private static ObjectNode initial(SimpleSimulator simulator) {
    ExecutionState state = simulator.state();
    return JSON.objectNode()
        .put("cur_time", BarTime.format(state.time()))
        .put("cur_step", state.step())
        .put("position", state.remaining())
        .put("done", simulator.isDone())
        .put("twap_price", state.twapPrice())
        .put("ticks_per_step", state.ticksPerStep())
        .put("n_ticks", state.ticks().count())
        .put("n_ticks_for_order", state.ticksForOrder())
        .put("first_tick_for_order", BarTime.format(state.ticks().time(state.firstTick())))
        .put("last_tick_for_order", BarTime.format(state.ticks().time(state.endTick() - 1)));
  }

  private static ObjectNode step(SimpleSimulator simulator, double volume) {
    ObjectNode step = JSON.objectNode().put("action", volume);
    step.put("done_before", simulator.isDone());
    int rows = simulator.state().rows();
    try {
      simulator.step(ChildOrder.market(volume));
    } catch (IllegalStateException | IllegalArgumentException e) {
      return step.put("error", ErrorKind.qlibName(STEP_ERRORS, e));
    }
    ExecutionState state = simulator.state();
    step.put("position", state.remaining())
        .put("cur_time", BarTime.format(state.time()))
        .put("cur_step", state.step())
        .put("done", simulator.isDone());
    GoldenMetrics.addRows(
        step.putObject("history_exec_new"), state.tickRows().subList(rows, state.rows()));
    GoldenMetrics.addRows(
        step.putObject("history_steps_new"),
        state.stepRows().subList(state.step() - 1, state.step()));
    return step.put("metrics_is_none", state.metrics() == null);
  }

  private static void addMetrics(
      ObjectNode answer, @Nullable ExecutionMetrics metrics, LogCollector log) {
    if (metrics == null) {
      answer.putNull("metrics").putNull("metric_python_types").putNull("metric_logged_as_scalar");
      return;
    }
    ObjectNode values = answer.putObject("metrics");
    ObjectNode types = answer.putObject("metric_python_types");
    ObjectNode scalars = answer.putObject("metric_logged_as_scalar");
    GoldenMetrics.fields(metrics)
        .forEach(
            (name, value) -> {
              LogCollector.Entry entry = log.entries().get(name);
              Object logged = entry == null || entry.value() == null ? "nothing" : entry.value();
              values.set(name, GoldenMetrics.cell(logged instanceof Float ? logged : value));
              types.put(name, pythonType(logged));
              scalars.put(name, logged instanceof Double);
            });
  }

  private static String pythonType(Object value) {
    return switch (value) {
      case String _ -> "str";
      case LocalDateTime _ -> "Timestamp";
      case Side _ -> "OrderDir";
      case Float _ -> "float32";
      case Double _ -> "float64";
      default -> value.getClass().getName();
    };
  }
}
