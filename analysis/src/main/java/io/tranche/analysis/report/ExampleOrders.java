package io.tranche.analysis.report;

import io.tranche.backtest.DayTicks;
import io.tranche.env.Observation;
import io.tranche.execution.ExecutionMetrics;
import io.tranche.execution.ExecutionState;
import io.tranche.market.BarTime;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.PolicyResults;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.IntStream;

/// Executes a few orders again, tick by tick, to draw them.
public final class ExampleOrders {

  private ExampleOrders() {}

  /// Picks orders that show what a policy does, by rank, so that nobody can pick by taste.
  ///
  /// @param results of `candidate` on the orders of `player`
  public static <O extends Observation> List<ExampleOrder> of(
      OrderPlayer player, Candidate<O> candidate, PolicyResults results) {
    List<Integer> sorted =
        IntStream.range(0, results.orders().size())
            .boxed()
            .sorted(Comparator.comparingDouble(i -> results.orders().get(i).advantageBps()))
            .toList();
    var captions = new LinkedHashMap<Integer, String>();
    if (!sorted.isEmpty()) {
      captions.putIfAbsent(at(sorted, 0.5), "Median order");
      captions.putIfAbsent(at(sorted, 0.95), "Better than 95 % of orders");
      captions.putIfAbsent(at(sorted, 0.05), "Worse than 95 % of orders");
    }
    var examples = new ArrayList<ExampleOrder>();
    captions.forEach(
        (index, caption) -> {
          ExecutionState state = player.replay(candidate, index, _ -> {}).state();
          ExecutionMetrics metrics = state.metrics();
          examples.add(
              new ExampleOrder(
                  state.order(),
                  caption,
                  metrics == null ? 0 : metrics.advantageBps(),
                  ticks(state.ticks()),
                  fills(state)));
        });
    return examples;
  }

  private static int at(List<Integer> sorted, double part) {
    return sorted.get((int) Math.round(part * (sorted.size() - 1)));
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
