package io.tranche.conformance.execution;

import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.run.BacktestConfig;
import io.tranche.backtest.run.BacktestRun;
import io.tranche.backtest.run.InstrumentResult;
import io.tranche.backtest.run.InstrumentResult.FailedOrder;
import io.tranche.backtest.run.ResultRow;
import io.tranche.backtest.strategy.TwapStrategy;
import io.tranche.config.Catalog;
import io.tranche.config.Component;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.conformance.golden.GoldenDeals;
import io.tranche.conformance.golden.GoldenFrames;
import io.tranche.conformance.golden.GoldenPolicies;
import io.tranche.conformance.golden.GoldenValue;
import io.tranche.conformance.golden.Topic;
import io.tranche.env.log.CsvTable;
import io.tranche.execution.catalog.BacktestSettings;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.store.QlibStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// `qlib_backtest.json.gz`: whole backtests: result rows, every deal, the indicators of each level.
public final class QlibBacktestTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private QlibBacktestTopic() {}

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    Frequency granularity = Frequency.parse(input.get("data_granularity").asString());
    Path root = directory.resolve("dataset").resolve("bin_" + granularity);
    QlibStore store = QlibStore.open(root, granularity);
    var rows = new ArrayList<ResultRow>();
    var deals = new ArrayList<ExchangeFill>();
    BacktestRun run;
    try {
      run = new BacktestRun(config(input, store.calendar()), QuoteSource.of(store));
    } catch (ConfigException e) {
      throw new Topic.Stopped(e, besides(deals, granularity));
    }
    ArrayNode levels = JSON.arrayNode();
    for (var instrument : orders(input).entrySet()) {
      InstrumentResult result = run.run(instrument.getKey(), instrument.getValue());
      if (!result.failures().isEmpty()) {
        FailedOrder failed = result.failures().getFirst();
        deals.addAll(failed.fills());
        throw new Topic.Stopped(FailedOrder.class, failed.reason(), besides(deals, granularity));
      }
      rows.addAll(result.rows());
      deals.addAll(result.fills());
      result.histories().forEach(history -> levels.add(GoldenDeals.levels(history)));
    }
    // Levels of simulators and of accounts with real cash were not recorded.
    boolean recorded = !testCase.get("expected").path("levels").isNull();
    return GoldenFrames.withoutError()
        .putNull("error_message")
        .set("result", frame(rows))
        .put("csv", csv(rows))
        .set("deals", GoldenDeals.deals(deals, granularity))
        .set("levels", recorded ? levels : JSON.nullNode());
  }

  private static ObjectNode besides(List<ExchangeFill> deals, Frequency granularity) {
    return JSON.objectNode().set("deals", GoldenDeals.deals(deals, granularity));
  }

  private static Map<String, List<Order>> orders(JsonNode input) {
    var orders = new TreeMap<String, List<Order>>();
    for (JsonNode order : input.get("orders")) {
      String instrument = order.get("instrument").asString();
      LocalDate date = LocalDate.parse(order.get("datetime").asString());
      JsonNode direction = order.get("direction");
      orders
          .computeIfAbsent(instrument, _ -> new ArrayList<>())
          .add(
              new Order(
                  instrument,
                  direction.isNumber()
                      ? Side.ofCode(direction.intValue())
                      : Side.parse(direction.asString()),
                  order.get("amount").doubleValue(),
                  date.atTime(time(input, "start_time")),
                  date.atTime(time(input, "end_time"))));
    }
    return orders;
  }

  /// Reads the case like a configuration file; only policies come from the case itself.
  private static BacktestConfig config(JsonNode input, Calendar calendar) {
    ObjectNode config = JSON.objectNode();
    for (String key : List.of("start_time", "end_time", "data_granularity", "exchange")) {
      config.set(key, input.get(key));
    }
    ObjectNode strategies = config.putObject("strategies");
    for (var level : input.get("strategies").properties()) {
      JsonNode given = level.getValue();
      String name = given.isString() ? given.asString() : given.get("class").asString();
      strategies.putObject(level.getKey()).put("class", name);
    }
    JsonNode outermost = input.get("strategies").path("1day");
    Catalog<Strategy.Factory> catalog =
        Catalog.of(
            Strategy.Factory.class,
            List.of(
                component("TWAPStrategy", _ -> TwapStrategy::asQlib),
                component("SAOEIntStrategy", _ -> GoldenPolicies.strategy(outermost, calendar))));
    return BacktestSettings.qlib(
        ConfigFiles.parse("input", config.toString()),
        input.get("with_simulator").booleanValue(),
        catalog);
  }

  private static Component<Strategy.Factory> component(
      String name, Function<ConfigNode, Strategy.Factory> maker) {
    return Component.of(Strategy.Factory.class, name, name, maker);
  }

  private static LocalTime time(JsonNode input, String key) {
    String text = input.get(key).asString();
    return LocalTime.parse(text.length() < 5 ? "0" + text : text);
  }

  public static ObjectNode frame(List<ResultRow> rows) {
    List<Map<String, Object>> records = rows.stream().map(ResultRow::record).toList();
    var names = new LinkedHashSet<String>();
    records.forEach(record -> names.addAll(record.keySet()));
    ObjectNode frame = JSON.objectNode().set("columns", GoldenValue.tree(names));
    ArrayNode target = frame.putArray("rows");
    for (var record : records) {
      ArrayNode row = target.addArray();
      for (String name : names) {
        row.add(cell(record.getOrDefault(name, Double.NaN)));
      }
    }
    return frame;
  }

  private static JsonNode cell(Object value) {
    return switch (value) {
      case Double number -> GoldenDeals.number(number);
      case LocalDateTime time -> JSON.stringNode(BarTime.format(BarTime.of(time)));
      default -> JSON.stringNode(value.toString());
    };
  }

  public static String csv(List<ResultRow> rows) {
    var text = new StringBuilder();
    try {
      CsvTable.write(rows.stream().map(ResultRow::record).toList(), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
