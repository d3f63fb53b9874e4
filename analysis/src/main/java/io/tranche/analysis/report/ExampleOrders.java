package io.tranche.analysis.report;

import io.tranche.backtest.DayTicks;
import io.tranche.env.Observation;
import io.tranche.execution.ExecutionMetrics;
import io.tranche.execution.ExecutionState;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.run.Candidate;
import io.tranche.run.OrderPlayer;
import io.tranche.run.OrderResult;
import io.tranche.run.PolicyResults;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Works a few orders once more, tick by tick, to draw them.
public final class ExampleOrders {

  private ExampleOrders() {}

  /// Picks orders that show what a policy does, by rank, so that nobody can pick by taste.
  ///
  /// @return why each is shown, by order
  public static Map<Order, String> choose(PolicyResults results) {
    List<OrderResult> sorted =
        results.orders().stream()
            .sorted(Comparator.comparingDouble(OrderResult::advantageBps))
            .toList();
    var chosen = new LinkedHashMap<Order, String>();
    if (!sorted.isEmpty()) {
      chosen.putIfAbsent(at(sorted, 0.5), "Median order");
      chosen.putIfAbsent(at(sorted, 0.95), "Better than 95 % of orders");
      chosen.putIfAbsent(at(sorted, 0.05), "Worse than 95 % of orders");
    }
    return chosen;
  }

  private static Order at(List<OrderResult> sorted, double part) {
    return sorted.get((int) Math.round(part * (sorted.size() - 1))).order();
  }

  /// Works `order` once more and keeps what was seen and done.
  ///
  /// @param caption why it is shown
  public static <O extends Observation> ExampleOrder record(
      OrderPlayer player, Candidate<O> candidate, Order order, String caption) {
    int index = player.orders().indexOf(order);
    ExecutionState state = player.replay(candidate, index, _ -> {}).state();
    ExecutionMetrics metrics = state.metrics();
    return new ExampleOrder(
        order,
        caption,
        metrics == null ? 0 : metrics.advantageBps(),
        ticks(state.ticks()),
        fills(state));
  }

  private static List<ExampleOrder.Tick> ticks(DayTicks day) {
    var ticks = new ArrayList<ExampleOrder.Tick>();
    for (int tick = 0; tick < day.count(); tick++) {
      ticks.add(
          new ExampleOrder.Tick(
              BarTime.dateTime(day.time(tick)), day.price(tick), day.volume(tick)));
    }
    return ticks;
  }

  private static List<ExampleOrder.Fill> fills(ExecutionState state) {
    var fills = new ArrayList<ExampleOrder.Fill>();
    for (int row = 0; row < state.rows(); row++) {
      if (state.filled(row) > 0) {
        fills.add(
            new ExampleOrder.Fill(
                BarTime.dateTime(state.ticks().time(state.firstTick() + row)),
                state.tradePrice(row),
                state.filled(row)));
      }
    }
    return fills;
  }
}
