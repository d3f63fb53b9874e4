package io.tranche.conformance.golden;

import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.executor.StepIndicators;
import io.tranche.backtest.executor.StepIndicators.Line;
import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Deals and indicators as the golden files of backtests write them.
public final class GoldenDeals {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private GoldenDeals() {}

  /// Writes deals under the golden file's `deal_columns`.
  public static ArrayNode deals(List<ExchangeFill> deals, Frequency granularity) {
    ArrayNode rows = JSON.arrayNode();
    for (ExchangeFill deal : deals) {
      ArrayNode row = rows.addArray();
      row.add(deal.order().instrument())
          .add(deal.order().side().code())
          .add(BarTime.format(deal.order().start()))
          .add(BarTime.format(deal.order().end()))
          .add(deal.order().amount())
          .add(deal.amount())
          .add(factor(deal, granularity))
          .add(deal.value())
          .add(deal.cost())
          .add(number(deal.price()));
    }
    return rows;
  }

  /// Qlib has None for an unknown factor, but NaN where it looked up a single minute.
  private static JsonNode factor(ExchangeFill deal, Frequency granularity) {
    boolean refused = Double.isNaN(deal.price());
    boolean nothing =
        refused || (Double.isNaN(deal.factor()) && !granularity.equals(Frequency.MINUTE));
    return nothing ? JSON.nullNode() : number(deal.factor());
  }

  /// Writes the indicators of each level, the outermost first.
  public static ObjectNode levels(Map<String, List<StepIndicators>> histories) {
    ObjectNode levels = JSON.objectNode();
    for (var level : histories.entrySet()) {
      ObjectNode node = levels.putObject(level.getKey());
      addTotals(node.putObject("trade_indicators"), level.getValue());
      ObjectNode steps = node.putObject("order_indicators");
      for (StepIndicators step : level.getValue()) {
        addLines(steps.putObject(BarTime.format(step.time())), step.lines());
      }
    }
    return levels;
  }

  private static void addTotals(ObjectNode frame, List<StepIndicators> steps) {
    ArrayNode columns = frame.putArray("columns");
    columns.add("datetime");
    if (!steps.isEmpty()) {
      List.of("ffr", "pa", "pos", "deal_amount", "value", "count").forEach(columns::add);
    }
    ArrayNode rows = frame.putArray("rows");
    for (StepIndicators step : steps) {
      rows.addArray()
          .add(BarTime.format(step.time()))
          .add(number(step.fillRate()))
          .add(number(step.advantage()))
          .add(number(step.positiveRate()))
          .add(step.filledAmount())
          .add(step.filledValue())
          .add(step.orders());
    }
  }

  private static void addLines(ObjectNode step, List<Line> lines) {
    Predicate<Line> submitted = Line::isSubmitted;
    add(step, "inner_amount", lines, submitted, Line::innerAmount);
    add(step, "deal_amount", lines, submitted, Line::filledAmount);
    add(step, "trade_price", lines, submitted, Line::tradePrice);
    add(step, "trade_value", lines, submitted, Line::tradeValue);
    add(step, "trade_cost", lines, submitted, Line::tradeCost);
    add(step, "trade_dir", lines, submitted, Line::tradeDirection);
    add(step, "amount", lines, Line::isOrdered, Line::amount);
    add(step, "ffr", lines, Line::isOrdered, Line::fillRate);
    add(step, "pa", lines, submitted, Line::advantage);
    if (lines.stream().anyMatch(submitted)) {
      add(step, "base_volume", lines, submitted, Line::baseVolume);
      add(step, "base_price", lines, submitted, Line::basePrice);
    }
  }

  private static void add(
      ObjectNode step,
      String name,
      List<Line> lines,
      Predicate<Line> present,
      ToDoubleFunction<Line> value) {
    ObjectNode values = step.putObject(name);
    for (Line line : lines) {
      if (present.test(line)) {
        values.set(line.instrument(), number(value.applyAsDouble(line)));
      }
    }
  }

  public static JsonNode number(double value) {
    return Double.isFinite(value)
        ? JSON.numberNode(value)
        : JSON.stringNode(Double.toString(value));
  }
}
