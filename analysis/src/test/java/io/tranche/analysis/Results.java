package io.tranche.analysis;

import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Results made up for tests.
final class Results {

  private static final LocalDate FIRST = LocalDate.of(2024, 1, 1);

  private Results() {}

  /// Returns `perDay` sells and as many buys on each of `days` days.
  static List<Order> orders(int days, int perDay) {
    var orders = new ArrayList<Order>();
    for (int day = 0; day < days; day++) {
      for (int i = 0; i < 2 * perDay; i++) {
        LocalDate date = FIRST.plusDays(day);
        Side side = i % 2 == 0 ? Side.SELL : Side.BUY;
        orders.add(new Order("A" + i, side, 100, date.atTime(9, 30), date.atTime(15, 0)));
      }
    }
    return orders;
  }

  static int day(Order order) {
    return Math.toIntExact(order.date().toEpochDay() - FIRST.toEpochDay());
  }

  static PolicyResults of(String name, List<Order> orders, ToDoubleFunction<Order> bps) {
    return new PolicyResults(
        name,
        orders.stream().map(order -> OrderResult.of(order, bps.applyAsDouble(order), 1)).toList());
  }
}
