package io.tranche.conformance.deviation;

import io.tranche.backtest.executor.StepIndicators.Line;
import io.tranche.backtest.run.ResultRow;
import io.tranche.conformance.execution.QlibBacktestTopic;
import io.tranche.conformance.golden.GoldenFrames;
import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.store.FeatureRows;
import io.tranche.market.store.QlibStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The answer that Qlib would give where a volume limit for purchases stops it at a sale: an order
/// that no limit binds is sold evenly, at each bar's price.
final class OneSidedAnswers {

  private static final int HALF_HOURS = 8;
  private static final long HALF_HOUR = 1_800;

  private OneSidedAnswers() {}

  /// Rule 13.7 without a trade unit, whose remainders decide the last digits of the sums.
  private static final class Evenly {
    private final double amount;
    private final int count;
    private double remaining;
    private int step;

    Evenly(double amount, int count) {
      this.amount = amount;
      this.count = count;
      this.remaining = amount;
    }

    double next() {
      step++;
      return step == count ? remaining : amount / count * step - (amount - remaining);
    }

    void take(double filled) {
      remaining -= filled;
    }
  }

  /// A bar lasts until the next one begins, through the midday break too.
  private static long end(FeatureRows bars, int row, Frequency width) {
    return row + 1 < bars.size() ? bars.time(row + 1) : bars.time(row) + width.seconds();
  }

  static JsonNode unlimited(Path directory, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    JsonNode order = input.get("orders").get(0);
    JsonNode exchange = input.get("exchange");
    var side = new Direction(order.get("instrument").asString(), order.get("direction").intValue());
    double total = order.get("amount").doubleValue();
    long day = BarTime.parse(order.get("datetime").asString());
    Frequency bar = Frequency.parse(input.get("data_granularity").asString());
    ArrayNode deals = JsonNodeFactory.instance.arrayNode();
    var lines = new ArrayList<Line>();
    var halfHours = new Evenly(total, HALF_HOURS);
    try (var store = QlibStore.open(directory.resolve("dataset/bin_" + bar), bar)) {
      FeatureRows bars =
          store
              .features(
                  List.of(side.instrument()),
                  List.of("$close", "$factor"),
                  day,
                  // The window ends with the bar that holds its last minute.
                  BarTime.parse(
                      order.get("datetime").asString() + " " + input.get("end_time").asString()))
              .getFirst();
      for (int first = 0, next; first < bars.size(); first = next) {
        next = first;
        while (next < bars.size() && bars.time(next) / HALF_HOUR == bars.time(first) / HALF_HOUR) {
          next++;
        }
        var sold = new ArrayList<JsonNode>();
        var steps = new Evenly(halfHours.next(), next - first);
        for (int row = first; row < next; row++) {
          double amount = steps.next();
          steps.take(amount);
          halfHours.take(amount);
          double price = bars.value(0, row);
          double value = amount * price;
          ArrayNode deal =
              deals
                  .addArray()
                  .add(side.instrument())
                  .add(side.code())
                  .add(BarTime.format(bars.time(row)))
                  .add(BarTime.format(end(bars, row, bar) - 1))
                  .add(amount)
                  .add(amount)
                  .add((double) bars.value(1, row))
                  .add(value)
                  .add(
                      Math.max(
                          value * exchange.get("close_cost").doubleValue(),
                          exchange.get("min_cost").doubleValue()))
                  .add(price);
          sold.add(deal);
        }
        lines.add(side.halfHour(sold, Double.NaN));
      }
    }
    var rows = List.of(new ResultRow(BarTime.dateTime(day), side.day(lines, total)));
    return GoldenFrames.withoutError()
        .putNull("error_message")
        .set("result", QlibBacktestTopic.frame(rows))
        .put("csv", QlibBacktestTopic.csv(rows))
        .set("deals", deals)
        .putNull("levels");
  }
}
