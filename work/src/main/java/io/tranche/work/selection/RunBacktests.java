package io.tranche.work.selection;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunFolder;
import io.tranche.run.RunListener;
import io.tranche.run.RunParts;
import io.tranche.trainer.InitialStates;
import io.tranche.work.backtest.BacktestPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Makes backtests on Qlib's exchange from a run of our own dialect: its test orders, bars,
/// interpreters and network. The exchange has its own rules, so the results are not those of the
/// run's simulator. Each side has its own backtest, because an instrument has one result per day.
public final class RunBacktests {

  private RunBacktests() {}

  /// @throws ConfigException if the run is in Qlib's dialect, which does not describe an exchange,
  ///   or its bars are not a store
  public static List<OrderedBacktest> of(RunFolder folder, RunListener listener) {
    ExecutionRun run = ExecutionRun.read(ConfigFiles.load(folder.config()), _ -> {});
    PreparedData data = PreparedData.of(run, folder, listener);
    try (RunParts<?> parts = RunParts.of(run, data)) {
      return of(parts, folder);
    }
  }

  private static List<OrderedBacktest> of(RunParts<?> parts, RunFolder folder) {
    PreparedData data = parts.data();
    Path bars = data.settings() instanceof BarData prepared ? prepared.bars() : null;
    if (bars == null
        || !Files.isDirectory(bars.resolve("calendars"))
        || !(parts.simulator() instanceof SimpleSimulatorConfig simulator)) {
      throw new ConfigException(
          "RUN",
          "a run whose bars are a store; --config names a backtest for others",
          folder.folder());
    }
    parts.run().rejectObjects("backtests");
    List<Order> orders = orders(data.orders(Tag.TEST));
    return Arrays.stream(Side.values())
        .map(side -> orders.stream().filter(order -> order.side() == side).toList())
        .filter(sided -> !sided.isEmpty())
        .map(sided -> backtest(parts, simulator, bars, sided))
        .toList();
  }

  private static List<Order> orders(InitialStates<Order> states) {
    return IntStream.range(0, states.size()).mapToObj(states.load()).toList();
  }

  private static OrderedBacktest backtest(
      RunParts<?> parts, SimpleSimulatorConfig simulator, Path bars, List<Order> orders) {
    LocalTime start =
        orders.stream().map(order -> order.start().toLocalTime()).min(LocalTime::compareTo).get();
    LocalTime end =
        orders.stream().map(order -> order.end().toLocalTime()).max(LocalTime::compareTo).get();
    int minutes = simulator.minutesPerTick();
    var exchange = new LinkedHashMap<String, @Nullable Object>();
    exchange.put("limit_threshold", null);
    exchange.put("trade_unit", null);
    exchange.put("deal_price", List.of("$close", "$close"));
    var strategies = new LinkedHashMap<String, Object>();
    strategies.put(simulator.minutesPerStep() + "min", Map.of("class", "TWAPStrategy"));
    strategies.put("1day", strategy(parts, minutes));
    var config = new LinkedHashMap<String, Object>();
    config.put("start_time", start.toString());
    config.put("end_time", end.toString());
    config.put("data_granularity", minutes + "min");
    config.put("qlib", Map.of("provider_uri_%dmin".formatted(minutes), bars.toString()));
    config.put("exchange", exchange);
    config.put("strategies", strategies);
    return new OrderedBacktest(
        BacktestPlan.from(ConfigFiles.of("select", config), _ -> {}),
        overWindow(orders, start, end));
  }

  private static Map<String, Object> strategy(RunParts<?> parts, int minutes) {
    ExecutionRun run = parts.run();
    var settings = new LinkedHashMap<String, Object>();
    settings.put("data_granularity", minutes);
    settings.put("policy", run.agent().policy().describe());
    settings.put("state_interpreter", parts.describeStates());
    settings.put("action_interpreter", run.problem().actionInterpreter().describe());
    if (run.agent().network() != null) {
      settings.put("network", run.agent().network().describe());
    }
    var strategy = new LinkedHashMap<String, Object>();
    strategy.put("class", "PolicyStrategy");
    strategy.put("kwargs", settings);
    return strategy;
  }

  /// Returns the orders with the window of the backtest, which all orders of one side share.
  private static List<Order> overWindow(List<Order> orders, LocalTime start, LocalTime end) {
    var windowed = new ArrayList<Order>();
    for (Order order : orders) {
      windowed.add(
          new Order(
              order.instrument(),
              order.side(),
              order.amount(),
              LocalDateTime.of(order.date(), start),
              LocalDateTime.of(order.date(), end)));
    }
    return windowed;
  }
}
