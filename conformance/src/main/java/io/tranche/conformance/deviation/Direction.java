package io.tranche.conformance.deviation;

import io.tranche.backtest.executor.StepIndicators;
import io.tranche.backtest.executor.StepIndicators.Line;
import io.tranche.market.BarTime;
import java.util.List;
import java.util.function.ToDoubleFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The formulas of the reference for the deals of one instrument and side.
record Direction(String instrument, int code) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  // The columns of a recorded deal.
  static final int START = 2;
  static final int AMOUNT = 4;
  static final int DEALT = 5;
  static final int VALUE = 7;
  static final int COST = 8;
  static final int PRICE = 9;

  /// Measures deals, one per bar, that carried out an order of `amount`.
  Line halfHour(List<JsonNode> deals, double amount) {
    int sign = 2 * code - 1;
    double inner = 0;
    double dealt = 0;
    double priced = 0;
    double value = 0;
    double cost = 0;
    double prices = 0;
    for (JsonNode deal : deals) {
      inner += sign * deal.get(AMOUNT).doubleValue();
      dealt += sign * deal.get(DEALT).doubleValue();
      priced += sign * deal.get(DEALT).doubleValue() * deal.get(PRICE).doubleValue();
      value += sign * deal.get(VALUE).doubleValue();
      cost += deal.get(COST).doubleValue();
      prices += deal.get(PRICE).doubleValue();
    }
    double base = prices / deals.size();
    return line(inner, dealt, priced / dealt, value, cost, sign * amount, deals.size(), base);
  }

  Line day(List<Line> halfHours, double amount) {
    ToDoubleFunction<ToDoubleFunction<Line>> sum =
        value -> halfHours.stream().mapToDouble(value).reduce(0, Double::sum);
    double dealt = sum.applyAsDouble(Line::filledAmount);
    double bars = sum.applyAsDouble(Line::baseVolume);
    return line(
        sum.applyAsDouble(Line::innerAmount),
        dealt,
        sum.applyAsDouble(line -> line.filledAmount() * line.tradePrice()) / dealt,
        sum.applyAsDouble(Line::tradeValue),
        sum.applyAsDouble(Line::tradeCost),
        (2 * code - 1) * Math.abs(amount),
        bars,
        sum.applyAsDouble(line -> line.basePrice() * line.baseVolume()) / bars);
  }

  /// Qlib's quirk Q34: to add levels up, it turns the lower level's prices into values.
  Line overwritten(Line line) {
    return new Line(
        instrument,
        line.innerAmount(),
        line.filledAmount(),
        line.filledAmount() * line.tradePrice(),
        line.tradeValue(),
        line.tradeCost(),
        code,
        line.amount(),
        line.fillRate(),
        line.baseVolume(),
        line.basePrice(),
        line.advantage());
  }

  private Line line(
      double inner,
      double dealt,
      double price,
      double value,
      double cost,
      double amount,
      double bars,
      double base) {
    double advantage = (1 - 2 * code) * (price / base - 1);
    return new Line(
        instrument,
        inner,
        dealt,
        price,
        value,
        cost,
        code,
        amount,
        dealt / amount,
        bars,
        base,
        advantage);
  }

  StepIndicators indicators(String time, Line line) {
    return new StepIndicators(
        BarTime.parse(time),
        List.of(line),
        line.fillRate(),
        line.advantage(),
        line.advantage() > 0 ? 1 : 0,
        Math.abs(line.filledAmount()),
        Math.abs(line.tradeValue()),
        1);
  }

  double basisPoints(double price, double base) {
    return 10_000 * (code == 1 ? 1 - price / base : price / base - 1);
  }

  /// Returns the columns of a history except the advantage; nothing is left after the bar.
  ArrayNode row(
      JsonNode time,
      double volume,
      double price,
      double amount,
      double value,
      double paid,
      double fraction) {
    return JSON.arrayNode()
        .add(time)
        .add(instrument)
        .add(code)
        .add(volume)
        .add(price)
        .add(amount)
        .add(amount)
        .add(amount)
        .add(paid)
        .add(value)
        .add(0.0)
        .add(fraction);
  }
}
