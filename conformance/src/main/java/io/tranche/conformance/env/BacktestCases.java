package io.tranche.conformance.env;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Frictions;
import io.tranche.conformance.golden.GoldenEpisodes;
import io.tranche.conformance.golden.GoldenValue;
import io.tranche.conformance.golden.Topic;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.AllOne;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.env.Reward;
import io.tranche.env.StateInterpreter;
import io.tranche.env.log.ConsoleWriter;
import io.tranche.env.log.CsvLogWriter;
import io.tranche.env.log.EpisodeLog;
import io.tranche.env.space.Action;
import io.tranche.env.vector.OnFailure;
import io.tranche.execution.Dialect;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.CurrentStepInterpreter;
import io.tranche.execution.interpreter.DummyInterpreter;
import io.tranche.execution.interpreter.TwapRelativeInterpreter;
import io.tranche.execution.reward.AdvantagePenaltyReward;
import io.tranche.execution.reward.PriceTierReward;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.trainer.InitialStates;
import io.tranche.trainer.QlibQuirks;
import io.tranche.trainer.Trainer;
import io.tranche.trainer.TrainerConfig;
import io.tranche.trainer.TrainingVessel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The backtests of the `logger` topic: orders executed by a fixed policy, and the resulting
/// `result.csv`.
final class BacktestCases {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// The settings of the reward `pa`, of which the cases give only the results.
  private static final double PENALTY = 2;

  private static final double SCALE = 0.5;

  private static final int STEPS = 3;

  private BacktestCases() {}

  static JsonNode answer(JsonNode input) {
    return Topic.inFolder(folder -> rows(input, new DummyInterpreter(), folder));
  }

  /// Answers a case that has no data of its own with the data of `another`: its observation
  /// contains a boolean, which is valid.
  static JsonNode currentStep(JsonNode another) {
    JsonNode rows =
        Topic.inFolder(folder -> rows(another, CurrentStepInterpreter.of(STEPS), folder));
    return JSON.objectNode().put("episodes", rows.get("rows_sorted_by_stock_as_dicts").size());
  }

  private static <O extends Observation> JsonNode rows(
      JsonNode input, StateInterpreter<ExecutionState, O> interpreter, Path folder)
      throws IOException {
    List<String> lines = new ArrayList<>();
    var style = new ConsoleWriter.Style(20, input.get("orders").size(), "", ":.4f", ":4d");
    new Trainer(
            TrainerConfig.of(0, input.get("concurrency").intValue())
                .with(OnFailure.PROPAGATE)
                .with(QlibQuirks.ALL),
            List.of(),
            List.of(
                new EpisodeLog(new ConsoleWriter(lines::add, style)),
                new EpisodeLog(new CsvLogWriter(folder))))
        .test(
            TrainingVessel.ofPolicy(
                new Orders<>(input, interpreter).problem(),
                new AllOne<O>(action(input)),
                InitialStates.of(
                    input.get("orders").valueStream().map(GoldenEpisodes::orderOf).toList())));
    List<List<String>> table =
        Files.readAllLines(folder.resolve("result.csv")).stream()
            .map(line -> List.of(line.split(",", -1)))
            .toList();
    List<String> columns = table.getFirst();
    int stock = columns.indexOf("stock_id");
    ObjectNode answer = JSON.objectNode();
    answer.set("columns_sorted", GoldenValue.tree(columns.stream().sorted().toList()));
    ArrayNode rows = answer.putArray("rows_sorted_by_stock_as_dicts");
    table.stream()
        .skip(1)
        .sorted(
            Comparator.comparing((List<String> row) -> row.get(stock))
                .thenComparing(row -> String.join(",", row)))
        .forEach(
            row -> {
              ObjectNode dict = rows.addObject();
              for (int i = 0; i < columns.size(); i++) {
                dict.put(columns.get(i), row.get(i));
              }
            });
    return answer.put("n_console_lines", lines.size());
  }

  private static Action action(JsonNode input) {
    return isTwap(input) ? new Action.Continuous(1) : new Action.Discrete(1);
  }

  private static boolean isTwap(JsonNode input) {
    return input.get("action_interpreter").isString();
  }

  /// The problem of a case.
  private record Orders<O extends Observation>(
      JsonNode input, StateInterpreter<ExecutionState, O> interpreter) {

    Problem<Order, ExecutionState, ChildOrder, O> problem() {
      JsonNode cap = input.get("vol_threshold");
      var config =
          new SimpleSimulatorConfig(
              input.get("ticks_per_step").intValue(),
              1,
              cap.isNull() ? Frictions.NONE : Frictions.NONE.withParticipation(cap.doubleValue()),
              Dialect.QLIB);
      var days = new HashMap<String, DayTicks>();
      for (JsonNode spec : input.get("orders")) {
        Order order = GoldenEpisodes.orderOf(spec);
        JsonNode day = input.get("data").get(order.instrument());
        days.put(order.instrument(), GoldenEpisodes.ticks(day, "close", order));
      }
      return new Problem<>(
          config.over(order -> ticks(days, order)), interpreter, actions(), reward());
    }

    private static DayTicks ticks(HashMap<String, DayTicks> days, Order order) {
      DayTicks day = days.get(order.instrument());
      if (day == null) {
        throw new DataException("input.data", "a day of " + order.instrument(), "none");
      }
      return day;
    }

    private ActionInterpreter<ExecutionState, ChildOrder> actions() {
      JsonNode spec = input.get("action_interpreter");
      return isTwap(input)
          ? new TwapRelativeInterpreter(TwapRelativeInterpreter.Estimate.WHOLE_STEPS)
          : new CategoricalInterpreter(
              CategoricalInterpreter.evenShares(spec.get("values").intValue()),
              spec.get("max_step").intValue());
    }

    private @Nullable Reward<ExecutionState> reward() {
      String name = input.get("reward").asString();
      return switch (name) {
        case "none" -> null;
        case "pa" ->
            new AdvantagePenaltyReward(PENALTY, SCALE, AdvantagePenaltyReward.Weight.REQUESTED);
        case "ppo" -> PriceTierReward.qlib(STEPS);
        default -> throw new DataException("input.reward", "a reward of Qlib", name);
      };
    }
  }
}
