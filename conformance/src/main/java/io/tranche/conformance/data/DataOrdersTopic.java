package io.tranche.conformance.data;

import io.tranche.config.ConfigException;
import io.tranche.conformance.golden.GoldenFrames;
import io.tranche.conformance.golden.GoldenValue;
import io.tranche.conformance.golden.Topic;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.Table;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.LazyOrders;
import io.tranche.market.order.OrderFiles;
import io.tranche.market.order.OrderSplit;
import io.tranche.market.order.QlibOrderGenerator;
import io.tranche.market.pickle.BacktestPrices;
import io.tranche.market.pickle.PickleStyledFiles;
import io.tranche.market.pickle.ProcessedDay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// `data_orders.json`: order scripts, order files and pickle-styled data.
///
/// The cases give frames as data; they go through the code that reads files, as tables in memory.
public final class DataOrdersTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String STOCK = "S1"; // the cases do not name theirs
  private static final LocalDate DAY = LocalDate.of(2021, 3, 2);

  private DataOrdersTopic() {}

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    return switch (input.get("kind").asString()) {
      case "gen_orders" -> generatedOrders(input);
      case "load_orders" -> loadedOrders(input);
      case "read_order_file" -> orderFile(input);
      case "lazy_dataset" -> lazyOrders(input);
      case "pickle_columns" -> columnNames(input);
      case "pickle_processed" -> processedDay(input);
      case "pickle_backtest" -> backtestPrices(input);
      case "pickle_find" -> foundFile(input);
      case String kind ->
          throw new DataException(testCase.get("name").asString(), "a known kind", kind);
    };
  }

  // ---- the order script ----

  private static JsonNode generatedOrders(JsonNode input) {
    List<String> stocks = GoldenFrames.texts(input.get("stocks_shuffled"));
    JsonNode draws = input.get("lognormal_draws_in_order");
    Iterator<JsonNode> ratios = draws.iterator();
    Function<String, Table> data = stock -> bars(input.get("data").get(stock));
    // The script failed before it drew: its own seed gives the numbers it would have drawn.
    List<DayOrder> orders =
        draws.isEmpty()
            ? QlibOrderGenerator.DEFAULT.generate(stocks, data)
            : QlibOrderGenerator.DEFAULT.generate(stocks, data, () -> ratios.next().doubleValue());
    ObjectNode files = JSON.objectNode();
    for (OrderSplit.Tag tag : OrderSplit.Tag.values()) {
      for (String stock : stocks) {
        List<DayOrder> part =
            OrderSplit.QLIB.part(orders, tag).stream()
                .filter(order -> order.instrument().equals(stock))
                .toList();
        if (!part.isEmpty()) {
          String folder = tag.name().toLowerCase(Locale.ROOT);
          ObjectNode written = files.putObject("%s/%s.pkl.target".formatted(folder, stock));
          written.putArray("index_names").add("date").add("instrument");
          GoldenFrames.addFrame(written, DayOrder.table(part));
        }
      }
    }
    return GoldenFrames.withoutError().set("files", files);
  }

  private static Table bars(JsonNode data) {
    var columns = new LinkedHashMap<String, Table.Column>();
    columns.put("datetime", GoldenFrames.column(data.get("datetime")));
    columns.put("$close0", GoldenFrames.numbers(data.get("$close0")));
    columns.put("$volume0", GoldenFrames.numbers(data.get("$volume0")));
    return Table.of(columns);
  }

  // ---- order files ----

  private static JsonNode loadedOrders(JsonNode input) {
    LocalTime start = time(input.get("start_time"), LocalTime.MIN);
    LocalTime end = time(input.get("end_time"), LocalTime.of(23, 59, 59));
    var orders = new ArrayList<Order>();
    for (JsonNode frame : input.get("frames")) {
      orders.addAll(OrderFiles.loadOrders("orders", GoldenFrames.table(frame), start, end));
    }
    return GoldenFrames.withoutError().set("orders", orders(orders));
  }

  private static JsonNode orderFile(JsonNode input) {
    Path file = Path.of("orders" + input.get("suffix").asString());
    Table table = OrderFiles.readOrderFile(file, _ -> GoldenFrames.table(input.get("frame")));
    ObjectNode answer = GoldenFrames.withoutError();
    ObjectNode frame = answer.putObject("frame");
    GoldenFrames.addFrame(frame, table);
    frame.put("datetime_is_string", table.column("datetime") instanceof Table.Texts);
    return answer;
  }

  private static JsonNode lazyOrders(JsonNode input) {
    LazyOrders lazy =
        LazyOrders.of(
            "orders",
            GoldenFrames.table(input.get("orders")),
            (_, date) -> {
              Table.Times ticks = GoldenFrames.fiveMinutes(date, 48);
              return IntStream.range(0, 48).mapToLong(ticks::value).toArray();
            },
            input.get("default_start_time_index").intValue(),
            input.get("default_end_time_index").intValue());
    ObjectNode answer = GoldenFrames.withoutError().put("length", lazy.size());
    try {
      List<Order> orders = IntStream.range(0, lazy.size()).mapToObj(lazy::order).toList();
      return answer.set("orders", orders(orders));
    } catch (DataException e) {
      throw new Topic.Stopped(e, answer);
    }
  }

  private static ArrayNode orders(List<Order> orders) {
    ArrayNode array = JSON.arrayNode();
    for (Order order : orders) {
      array
          .addObject()
          .put("stock_id", order.instrument())
          .put("amount", order.amount())
          .put("direction", order.side().code())
          .put("start_time", BarTime.format(BarTime.of(order.start())))
          .put("end_time", BarTime.format(BarTime.of(order.end())));
    }
    return array;
  }

  // ---- pickle-styled files ----

  private static JsonNode columnNames(JsonNode input) {
    List<String> names = ProcessedDay.featureNames(input.get("feature_dim").intValue());
    return GoldenFrames.withoutError().set("names", GoldenValue.tree(names));
  }

  private static JsonNode processedDay(JsonNode input) {
    int features = input.get("feature_dim").intValue();
    int ticks = input.get("n_ticks").intValue();
    var columns = new LinkedHashMap<String, Table.Column>();
    int rows = input.get("rows").size();
    columns.put("instrument", GoldenFrames.texts(rows, _ -> STOCK));
    if (GoldenFrames.texts(input.get("index_names")).contains("datetime")) {
      columns.put("datetime", GoldenFrames.fiveMinutes(DAY, rows));
    }
    columns.put("date", GoldenFrames.texts(rows, _ -> DAY.toString()));
    List<String> names = GoldenFrames.texts(input.get("columns"));
    for (int i = 0; i < names.size(); i++) {
      columns.put(names.get(i), GoldenFrames.column(input.get("rows"), i));
    }
    ProcessedDay day = ProcessedDay.of(STOCK, Table.of(columns), STOCK, DAY, features, ticks);
    ObjectNode answer = GoldenFrames.withoutError();
    ArrayNode today = answer.putArray("today");
    ArrayNode yesterday = answer.putArray("yesterday");
    for (int tick = 0; tick < ticks; tick++) {
      int row = tick;
      GoldenFrames.addNumbers(today.addArray(), features, feature -> day.today(row, feature));
      GoldenFrames.addNumbers(
          yesterday.addArray(), features, feature -> day.yesterday(row, feature));
    }
    return answer
        .set("today_columns", GoldenValue.tree(day.names()))
        .set("yesterday_columns", GoldenValue.tree(day.names()));
  }

  private static JsonNode backtestPrices(JsonNode input) {
    JsonNode data = input.get("data");
    int rows = data.get("$close0").size();
    var columns = new LinkedHashMap<String, Table.Column>();
    columns.put("instrument", GoldenFrames.texts(rows, _ -> STOCK));
    columns.put("datetime", GoldenFrames.fiveMinutes(DAY, rows));
    columns.put("date", GoldenFrames.texts(rows, _ -> DAY.toString()));
    data.propertyNames().forEach(name -> columns.put(name, GoldenFrames.numbers(data.get(name))));
    JsonNode direction = input.get("order_dir");
    Side side = direction.isNull() ? null : Side.ofCode(direction.intValue());

    BacktestPrices prices = BacktestPrices.of(STOCK, Table.of(columns), STOCK, DAY);

    double[] volumes = prices.volumes();
    ObjectNode answer = GoldenFrames.withoutError();
    GoldenFrames.addNumbers(answer.putArray("volume"), rows, tick -> volumes[tick]);
    answer.put("n", prices.ticks()).put("first_tick", BarTime.format(prices.time(0)));
    try {
      var type = BacktestPrices.DealPrice.parse(input.get("deal_price").asString());
      double[] deal = prices.dealPrices(type, side);
      GoldenFrames.addNumbers(answer.putArray("deal_price"), rows, tick -> deal[tick]);
      return answer;
    } catch (ConfigException e) {
      throw new Topic.Stopped(e, answer);
    }
  }

  private static JsonNode foundFile(JsonNode input) {
    return Topic.inFolder(
        folder -> {
          for (String name : GoldenFrames.texts(input.get("files"))) {
            Files.createFile(folder.resolve(name));
          }
          PickleStyledFiles.find(folder, STOCK);
          return GoldenFrames.withoutError();
        });
  }

  private static LocalTime time(JsonNode node, LocalTime otherwise) {
    return node.isNull() ? otherwise : LocalTime.parse(node.asString());
  }
}
