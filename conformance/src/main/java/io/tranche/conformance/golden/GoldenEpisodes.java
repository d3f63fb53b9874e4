package io.tranche.conformance.golden;

import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Frictions;
import io.tranche.execution.Dialect;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.Table;
import io.tranche.market.pickle.BacktestPrices;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/// The episodes of golden cases: one day of ticks, an order, and the settings of Qlib's simple
/// simulator.
public final class GoldenEpisodes {

  private GoldenEpisodes() {}

  /// Returns the order of a case.
  public static Order order(JsonNode input) {
    return orderOf(input.get("order"));
  }

  public static Order orderOf(JsonNode order) {
    return new Order(
        order.get("stock_id").asString(),
        Side.ofCode(order.get("direction").intValue()),
        order.get("amount").doubleValue(),
        BarTime.dateTime(BarTime.parse(order.get("start_time").asString())),
        BarTime.dateTime(BarTime.parse(order.get("end_time").asString())));
  }

  /// Returns Qlib's simulator over the ticks of a case.
  public static SimulatorFactory simulators(JsonNode input) {
    JsonNode params = input.get("params");
    JsonNode cap = params.get("vol_threshold");
    var config =
        new SimpleSimulatorConfig(
            params.get("ticks_per_step").intValue(),
            params.get("data_granularity").intValue(),
            cap.isNull() ? Frictions.NONE : Frictions.NONE.withParticipation(cap.doubleValue()),
            Dialect.QLIB);
    DayTicks ticks = ticks(input.get("data"), params.get("deal_price").asString(), order(input));
    return config.over(_ -> ticks);
  }

  /// Returns the day of a case as the simulator reads it: from a pickle-styled file, or from a
  /// handler's frame of float32.
  public static DayTicks ticks(JsonNode data, String price, Order order) {
    boolean frame = price.equals("dataframe");
    BacktestPrices prices =
        BacktestPrices.of("data", table(data, order), order.instrument(), order.date());
    DealPrice type = frame ? DealPrice.CLOSE : DealPrice.parse(price);
    long[] times = IntStream.range(0, prices.ticks()).mapToLong(prices::time).toArray();
    return DayTicks.of(
        order.instrument(),
        times,
        prices.dealPrices(type, order.side()),
        prices.volumes(),
        isSingle(data));
  }

  private static Table table(JsonNode data, Order order) {
    int rows = data.get("datetime").size();
    var columns = new LinkedHashMap<String, Table.Column>();
    columns.put("instrument", GoldenFrames.texts(rows, _ -> order.instrument()));
    columns.put("datetime", GoldenFrames.column(data.get("datetime")));
    long[] dates = new long[rows];
    Arrays.fill(dates, BarTime.of(order.date()));
    columns.put("date", new Table.Times(dates));
    for (String name : List.of("$close0", "$bid0", "$ask0", "$volume0")) {
      Table.Numbers numbers = GoldenFrames.numbers(data.get(name));
      columns.put(name, isSingle(data) ? singles(numbers, rows) : numbers);
    }
    return Table.of(columns);
  }

  private static boolean isSingle(JsonNode data) {
    return data.get("dtype").asString().equals("float32");
  }

  private static Table.Singles singles(Table.Numbers numbers, int rows) {
    float[] values = new float[rows];
    for (int row = 0; row < rows; row++) {
      values[row] = (float) numbers.value(row);
    }
    return new Table.Singles(values);
  }
}
