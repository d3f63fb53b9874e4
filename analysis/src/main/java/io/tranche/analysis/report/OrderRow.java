package io.tranche.analysis.report;

import static java.lang.Double.NaN;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.tranche.backtest.DayTicks;
import io.tranche.execution.ExecutionMetrics;
import io.tranche.execution.TickSource;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.util.ArrayList;
import java.util.List;

/// The result of one order in a report. NaN stands for "not known", except for the advantage and
/// the fill rate, which every order has.
///
/// @param advantageBps how much better its mean price is than the mean price of its window
/// @param fillRate filled part of the order
/// @param value money traded
/// @param costBps fees and taxes, of the value traded
/// @param participation the order as a part of the market's volume in its window
/// @param turnover money that the market traded in the window: how liquid it was
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

  /// Returns a row without anything about the market.
  public static OrderRow of(OrderResult result) {
    double bps = result.advantageBps();
    return new OrderRow(result.order(), bps, result.completion(), NaN, NaN, NaN, NaN);
  }

  /// Returns one row per order, with the order's size relative to its market.
  ///
  /// @param ticks the days of the orders
  public static List<OrderRow> of(PolicyResults results, TickSource ticks) {
    var rows = new ArrayList<OrderRow>();
    for (OrderResult result : results.orders()) {
      Order order = result.order();
      DayTicks day = ticks.ticks(order);
      double volume = 0;
      double turnover = 0;
      int end = day.ceiling(BarTime.of(order.end()));
      for (int tick = day.ceiling(BarTime.of(order.start())); tick < end; tick++) {
        if (!day.isMissing(tick) && day.volume(tick) > 0) {
          volume += day.volume(tick);
          turnover += day.volume(tick) * day.price(tick);
        }
      }
      double bps = result.advantageBps();
      double fillRate = result.completion();
      double value = turnover > 0 ? order.amount() * fillRate * turnover / volume : NaN;
      double participation = turnover > 0 ? order.amount() / volume : NaN;
      double liquidity = turnover > 0 ? turnover : NaN;
      rows.add(
          new OrderRow(order, bps, fillRate, value, result.costBps(), participation, liquidity));
    }
    return rows;
  }

  /// Returns the results of orders that are filled at the market's price when they arrive. Nobody
  /// can trade like that, but it is the price that a portfolio manager decided on.
  public static PolicyResults atArrival(List<Order> orders, TickSource ticks) {
    var results = new ArrayList<OrderResult>();
    for (Order order : orders) {
      DayTicks day = ticks.ticks(order);
      int first = day.ceiling(BarTime.of(order.start()));
      int end = day.ceiling(BarTime.of(order.end()));
      int arrival = first;
      while (arrival < end && day.isMissing(arrival)) {
        arrival++;
      }
      double bps = 0;
      if (arrival < end) {
        double mean = day.meanPrice(first, end);
        bps = ExecutionMetrics.advantageBps(order.side(), day.price(arrival), mean);
      }
      results.add(OrderResult.of(order, bps, 1));
    }
    return new PolicyResults("arrival price", results);
  }

  OrderResult result() {
    return OrderResult.of(order, advantageBps, fillRate);
  }
}
