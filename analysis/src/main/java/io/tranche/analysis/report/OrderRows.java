package io.tranche.analysis.report;

import io.tranche.analysis.OrderResult;
import io.tranche.analysis.PolicyResults;
import io.tranche.backtest.DayTicks;
import io.tranche.execution.ExecutionMetrics;
import io.tranche.execution.TickSource;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import java.util.ArrayList;
import java.util.List;

/// Rows of a report out of what a policy was evaluated to.
public final class OrderRows {

  private OrderRows() {}

  /// Looks up how large each order was in its market.
  ///
  /// @param ticks the days that the orders were worked on
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
      boolean traded = turnover > 0;
      rows.add(
          new OrderRow(
              order,
              result.advantageBps(),
              result.fillRate(),
              traded ? order.amount() * result.fillRate() * turnover / volume : Double.NaN,
              Double.NaN,
              traded ? order.amount() / volume : Double.NaN,
              traded ? turnover : Double.NaN));
    }
    return rows;
  }

  /// Returns what orders would have come to at the market's price when they arrived: a reference
  /// that nobody can trade at, and the one that a portfolio manager decided on.
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
      double advantage =
          arrival < end
              ? ExecutionMetrics.advantageBps(
                  order.side(), day.price(arrival), day.meanPrice(first, end))
              : 0;
      results.add(new OrderResult(order, advantage, 1));
    }
    return new PolicyResults("arrival price", results);
  }
}
