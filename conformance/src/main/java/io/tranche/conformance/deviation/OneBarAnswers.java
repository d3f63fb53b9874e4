package io.tranche.conformance.deviation;

import io.tranche.backtest.executor.StepIndicators;
import io.tranche.backtest.executor.StepIndicators.Line;
import io.tranche.backtest.run.ResultRow;
import io.tranche.conformance.execution.QlibBacktestTopic;
import io.tranche.conformance.golden.GoldenDeals;
import io.tranche.conformance.golden.GoldenFile;
import io.tranche.conformance.golden.GoldenFrames;
import io.tranche.market.BarTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The answers that Qlib would give where a step of one bar stops it, computed from the deals
/// recorded until then with the formulas of the reference.
final class OneBarAnswers {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private OneBarAnswers() {}

  /// The deals were recorded, including that of the one bar; only the result is missing.
  static JsonNode backtest(JsonNode testCase) {
    JsonNode order = testCase.get("input").get("orders").get(0);
    JsonNode deals = testCase.get("expected").get("deals");
    var side = new Direction(order.get("instrument").asString(), order.get("direction").intValue());
    double total = order.get("amount").doubleValue();
    Line first = side.halfHour(list(deals, 0, deals.size() - 1), Double.NaN);
    Line last = side.halfHour(list(deals, deals.size() - 1, deals.size()), Double.NaN);
    long day = BarTime.parse(order.get("datetime").asString());
    var rows = List.of(new ResultRow(BarTime.dateTime(day), side.day(List.of(first, last), total)));
    return GoldenFrames.withoutError()
        .putNull("error_message")
        .set("result", QlibBacktestTopic.frame(rows))
        .put("csv", QlibBacktestTopic.csv(rows))
        .set("deals", deals)
        .putNull("levels");
  }

  /// The bar itself is taken from the case that trades it without a limit.
  static JsonNode simulator(Path directory, JsonNode testCase) {
    ObjectNode answer = (ObjectNode) testCase.get("expected").deepCopy();
    JsonNode order = testCase.get("input").get("order");
    String name = testCase.get("name").asString();
    GoldenFile file = GoldenFile.read(directory.resolve("qlib_simulator.json.gz"));
    JsonNode like = file.named(name.replace("one_bar_last_step", "no_limits"));
    JsonNode bar = like.at("/expected/steps/1/history_exec_new/rows/0");
    JsonNode exchange = testCase.get("input").get("exchange");
    JsonNode before = answer.get("steps").get(0);
    var side = new Direction(order.get("stock_id").asString(), order.get("direction").intValue());

    double volume = bar.get(3).doubleValue();
    double price = bar.get(4).doubleValue();
    double amount = testCase.get("input").get("actions").get(1).doubleValue();
    double total = order.get("amount").doubleValue();
    double value = amount * price;
    double rate = exchange.get(side.code() == 1 ? "open_cost" : "close_cost").doubleValue();
    ArrayNode deal = (ArrayNode) before.get("deals").get(0).deepCopy();
    deal.set(Direction.START, bar.get(0));
    deal.set(
        Direction.START + 1, JSON.stringNode(bar.get(0).asString().replace(":00:00", ":00:59")));
    deal.set(Direction.AMOUNT, JSON.numberNode(amount))
        .set(Direction.DEALT, JSON.numberNode(amount));
    deal.set(Direction.VALUE, JSON.numberNode(value));
    deal.set(Direction.COST, JSON.numberNode(Math.max(value * rate, 5)));
    deal.set(Direction.PRICE, JSON.numberNode(price));

    double asked = before.get("action").doubleValue();
    Line first = side.halfHour(list(before.get("deals"), 0, before.get("deals").size()), asked);
    Line last = side.halfHour(List.of(deal), amount);
    double twap = answer.get("initial").get("twap_price").doubleValue();
    ObjectNode step = JSON.objectNode();
    step.put("action", amount).put("position", 0.0).put("cur_time", "2021-03-02 10:30:00");
    step.put("cur_step", 8).put("done", true);
    JsonNode columns = before.get("history_exec_new").get("columns");
    ArrayNode tick = side.row(bar.get(0), volume, price, amount, value, price, amount / total);
    step.set("history_exec_new", frame(columns, tick.add(last.advantage())));
    double paid = value / amount;
    ArrayNode whole = side.row(bar.get(0), volume, price, amount, value, paid, amount / total);
    step.set("history_steps_new", frame(columns, whole.add(side.basisPoints(paid, twap))));
    step.set("metrics", metrics(side, before, tick, total, twap));
    step.putArray("deals").add(deal);
    ((ArrayNode) answer.get("steps")).set(1, step);
    answer.put("step_after_done_error", "AssertionError");
    var levels = new LinkedHashMap<String, List<StepIndicators>>();
    levels.put(
        "1day", List.of(side.indicators("2021-03-02", side.day(List.of(first, last), -total))));
    levels.put(
        "30min",
        List.of(
            side.indicators("2021-03-02 09:30:00", side.overwritten(first)),
            side.indicators("2021-03-02 10:00:00", side.overwritten(last))));
    answer.set("levels", GoldenDeals.levels(levels));
    return answer;
  }

  private static ObjectNode metrics(
      Direction side, JsonNode before, JsonNode tick, double total, double twap) {
    double volume = 0;
    double prices = 0;
    double value = 0;
    int count = 0;
    var rows = new ArrayList<JsonNode>();
    before.get("history_exec_new").get("rows").forEach(rows::add);
    rows.add(tick);
    for (JsonNode row : rows) {
      volume += row.get(3).doubleValue();
      prices += row.get(4).doubleValue();
      value += row.get(9).doubleValue();
      count++;
    }
    ObjectNode metrics = JSON.objectNode();
    metrics.put("stock_id", side.instrument());
    metrics.set("datetime", rows.getFirst().get(0));
    return metrics
        .put("direction", side.code())
        .put("market_volume", volume)
        .put("market_price", prices / count)
        .put("amount", total)
        .put("inner_amount", total)
        .put("deal_amount", total)
        .put("trade_price", value / total)
        .put("trade_value", value)
        .put("position", -total) // quirk Q37
        .put("ffr", 1.0)
        .put("pa", side.basisPoints(value / total, twap));
  }

  private static ObjectNode frame(JsonNode columns, ArrayNode row) {
    ObjectNode frame = JSON.objectNode();
    frame.set("columns", columns);
    frame.putArray("rows").add(row);
    return frame;
  }

  private static List<JsonNode> list(JsonNode array, int from, int to) {
    return array.valueStream().toList().subList(from, to);
  }
}
