package io.tranche.analysis.report;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.tranche.analysis.OrderResult;
import io.tranche.market.Order;

/// What became of one order. NaN stands for "not known", except in what every order has.
///
/// @param advantageBps how much better its mean price is than that of its window
/// @param fillRate what part of it was executed
/// @param value what was traded, in money
/// @param costBps fees and taxes, of the value traded
/// @param participation the order as a part of what the market traded in its window
/// @param turnover what the market traded in its window, in money: how liquid it was
public record OrderRow(
    @JsonUnwrapped Order order,
    double advantageBps,
    double fillRate,
    double value,
    double costBps,
    double participation,
    double turnover) {

  public OrderRow {
    Known.require("advantageBps", advantageBps);
    Known.require("fillRate", fillRate);
    Known.requireNotInfinite("value", value);
    Known.requireNotInfinite("costBps", costBps);
    Known.requireNotInfinite("participation", participation);
    Known.requireNotInfinite("turnover", turnover);
  }

  /// Returns a row that knows no more than the result does.
  public static OrderRow of(OrderResult result) {
    return new OrderRow(
        result.order(),
        result.advantageBps(),
        result.fillRate(),
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN);
  }

  OrderResult result() {
    return new OrderResult(order, advantageBps, fillRate);
  }
}
