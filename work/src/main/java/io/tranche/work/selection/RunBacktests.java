package io.tranche.work.selection;

import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.experiment.RunConfig;
import io.tranche.experiment.RunData;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.run.RunFolder;
import io.tranche.run.RunListener;
import io.tranche.trainer.InitialStates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// The backtests that follow from a run of our own dialect: its test orders, its bars, its
/// interpreters and its network. A side has a backtest of its own, for on one day an instrument has
/// one result.
public final class RunBacktests {

  private static final List<String> PARTS = List.of("state_interpreter", "action_interpreter");

  private RunBacktests() {}

  /// @param folder where the order files go
  /// @throws ConfigException if the run is of Qlib's dialect, which says nothing of an exchange, or
  ///   its bars are no store
  public static List<ConfigNode> of(RunFolder run, Path folder, RunListener listener) {
    ConfigNode config = ConfigFiles.load(run.config());
    RunConfig read = RunConfig.read(config, _ -> {});
    RunData data = read.data().prepare(run, listener);
    ConfigNode ticks = ComponentSpec.from(data.environment().required("ticks")).kwargs();
    Path bars = ticks.optional("path") == null ? null : ticks.required("path").asPath(Path.of(""));
    if (read.isQlib() || bars == null || !Files.isDirectory(bars.resolve("calendars"))) {
      throw new ConfigException(
          "RUN",
          "a run whose bars are a store; --config names a backtest for others",
          run.folder());
    }
    ConfigNode simulator = ComponentSpec.from(data.environment().required("simulator")).kwargs();
    int minutes = simulator.required("data_granularity").asInt();
    ConfigNode kwargs =
        ConfigFiles.parse("select", "data_granularity: " + minutes).with("policy", read.policy());
    for (String part : PARTS) {
      kwargs = kwargs.with(part, data.environment().required(part));
    }
    ConfigNode network = read.network();
    ConfigNode strategy =
        ConfigFiles.parse("select", "class: PolicyStrategy")
            .with("kwargs", network == null ? kwargs : kwargs.with("network", network));
    var configs = new ArrayList<ConfigNode>();
    for (Side side : Side.values()) {
      List<Order> orders = orders(data.orders().of(Tag.TEST), side);
      if (!orders.isEmpty()) {
        Path file = folder.resolve(side.name().toLowerCase(Locale.ROOT) + ".csv");
        write(file, orders);
        ConfigNode backtest =
            ConfigFiles.parse(
                "select", yaml(file, orders, minutes, bars, simulator.intOr("ticks_per_step", 30)));
        configs.add(
            backtest.with("strategies", backtest.required("strategies").with("1day", strategy)));
      }
    }
    return configs;
  }

  private static List<Order> orders(InitialStates<Order> states, Side side) {
    return IntStream.range(0, states.size())
        .mapToObj(states.load())
        .filter(order -> order.side() == side)
        .toList();
  }

  private static void write(Path file, List<Order> orders) {
    var lines = new ArrayList<String>();
    lines.add("datetime,instrument,amount,direction");
    for (Order order : orders) {
      lines.add(
          "%s,%s,%s,%d"
              .formatted(order.date(), order.instrument(), order.amount(), order.side().code()));
    }
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, lines);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  private static String yaml(
      Path file, List<Order> orders, int minutes, Path bars, int minutesAStep) {
    LocalTime start =
        orders.stream().map(order -> order.start().toLocalTime()).min(LocalTime::compareTo).get();
    LocalTime end =
        orders.stream().map(order -> order.end().toLocalTime()).max(LocalTime::compareTo).get();
    return """
    order_file: '%s'
    start_time: '%s'
    end_time: '%s'
    data_granularity: %dmin
    qlib: {provider_uri_%dmin: '%s'}
    exchange: {limit_threshold: null, trade_unit: null, deal_price: [$close, $close]}
    strategies: {%dmin: {class: TWAPStrategy}}
    """
        .formatted(file, start, end, minutes, minutes, bars, minutesAStep);
  }
}
