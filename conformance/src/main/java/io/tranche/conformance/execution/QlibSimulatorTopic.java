package io.tranche.conformance.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Sums;
import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.executor.ExecutorConfig.LevelConfig;
import io.tranche.backtest.executor.StepIndicators;
import io.tranche.backtest.strategy.TwapStrategy;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.conformance.golden.ErrorKind;
import io.tranche.conformance.golden.GoldenDeals;
import io.tranche.conformance.golden.GoldenEpisodes;
import io.tranche.conformance.golden.GoldenMetrics;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.RealisticSimulator;
import io.tranche.execution.RealisticSimulator.RealisticSimulatorFactory;
import io.tranche.execution.RealisticSimulatorConfig;
import io.tranche.execution.catalog.ExchangeSettings;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibStore;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// `qlib_simulator.json.gz`: the realistic simulator, step by step.
public final class QlibSimulatorTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final Map<ErrorKind, String> CONSTRUCTOR_ERRORS =
      Map.of(
          ErrorKind.of(DataException.class, "expected an end on the day of the start"),
          "AssertionError");

  private QlibSimulatorTopic() {}

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    RealisticSimulator simulator;
    try {
      simulator = simulator(directory, input);
    } catch (DataException e) {
      ObjectNode error = JSON.objectNode().put("type", ErrorKind.qlibName(CONSTRUCTOR_ERRORS, e));
      error.put("message", "Start date and end date must be the same.");
      return JSON.objectNode().set("constructor_error", error);
    }
    Frequency granularity = Frequency.parse(input.get("data_granularity").asString());
    ObjectNode answer = JSON.objectNode();
    answer.set("initial", initial(simulator.state()));
    ArrayNode steps = answer.putArray("steps");
    for (JsonNode action : input.get("actions")) {
      steps.add(step(simulator, action.doubleValue(), granularity));
    }
    answer.put("step_after_done_error", stepAfterDone(simulator));
    var histories = new LinkedHashMap<String, List<StepIndicators>>();
    for (String level : List.of("1day", name(input.get("levels").get(1)))) {
      histories.put(level, simulator.history(level));
    }
    answer.set("levels", GoldenDeals.levels(histories));
    return answer;
  }

  private static RealisticSimulator simulator(Path directory, JsonNode input) {
    Frequency granularity = Frequency.parse(input.get("data_granularity").asString());
    Path root = directory.resolve("dataset").resolve("bin_" + granularity);
    ConfigNode exchange = ConfigFiles.parse("exchange", input.get("exchange").toString());
    JsonNode cash = input.get("cash_limit");
    Supplier<Account> accounts =
        cash.isNull()
            ? Account.Unlimited::new
            : () -> new Account.Limited(cash.doubleValue(), Map.of(), false);
    var config =
        new RealisticSimulatorConfig(
            ExchangeSettings.qlib(exchange),
            "1day",
            List.of(LevelConfig.of(name(input.get("levels").get(1)), TwapStrategy::asQlib)),
            granularity,
            null,
            granularity.seconds() / 60,
            accounts,
            true);
    var source = QuoteSource.of(QlibStore.open(root, granularity));
    return new RealisticSimulatorFactory(config, source, 1).create(GoldenEpisodes.order(input));
  }

  /// Returns the frequency of `30min (TWAP)`.
  private static String name(JsonNode level) {
    return level.asString().split(" ", 2)[0];
  }

  private static ObjectNode initial(ExecutionState state) {
    double volume =
        state.ticks().totalVolume(state.firstTick(), state.endTick(), Sums.Gaps.SKIP, false);
    return JSON.objectNode()
        .put("order_start_time_in_state", BarTime.format(BarTime.of(state.order().start())))
        .put("order_end_time_in_state", BarTime.format(BarTime.of(state.order().end())))
        .put("position", state.remaining())
        .put("cur_time", BarTime.format(state.time()))
        .put("cur_step", state.step())
        .put("twap_price", state.twapPrice())
        .put("ticks_per_step", state.ticksPerStep())
        .put("n_ticks_index", state.ticks().count())
        .put("n_ticks_for_order", state.ticksForOrder())
        .put("first_tick", BarTime.format(state.ticks().time(state.firstTick())))
        .put("last_tick", BarTime.format(state.ticks().time(state.endTick() - 1)))
        .put("deal_price_mean", state.twapPrice())
        .put("volume_sum", volume);
  }

  private static ObjectNode step(
      RealisticSimulator simulator, double volume, Frequency granularity) {
    int rows = simulator.state().rows();
    int taken = simulator.state().step();
    int deals = simulator.fills().size();
    simulator.step(ChildOrder.market(volume));
    ExecutionState state = simulator.state();
    ObjectNode step =
        JSON.objectNode()
            .put("action", volume)
            .put("position", state.remaining())
            .put("cur_time", BarTime.format(state.time()))
            .put("cur_step", simulator.levelStep())
            .put("done", simulator.isDone());
    GoldenMetrics.addRows(
        step.putObject("history_exec_new"), state.tickRows().subList(rows, state.rows()));
    GoldenMetrics.addRows(
        step.putObject("history_steps_new"), state.stepRows().subList(taken, state.step()));
    step.set("metrics", GoldenMetrics.json(state.metrics()));
    step.set(
        "deals",
        GoldenDeals.deals(simulator.fills().subList(deals, simulator.fills().size()), granularity));
    return step;
  }

  private static String stepAfterDone(RealisticSimulator simulator) {
    try {
      simulator.step(ChildOrder.market(0));
      return "none";
    } catch (IllegalStateException e) {
      return "AssertionError";
    }
  }
}
