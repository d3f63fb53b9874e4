package io.tranche.analysis.report;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.tranche.backtest.DayTicks;
import io.tranche.env.Observation;
import io.tranche.execution.ExecutionMetrics;
import io.tranche.execution.ExecutionState;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.PolicyResults;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// One order and its day, to be drawn.
///
/// @param caption why this order is shown
/// @param ticks the whole day of the instrument, by time
/// @param fills by time, at most one per tick
public record ExampleOrder(
    @JsonUnwrapped Order order,
    String caption,
    double advantageBps,
    List<Tick> ticks,
    List<Fill> fills) {

  /// A bar of the day.
  ///
  /// @param price NaN where the bar is missing
  /// @param volume NaN where the bar is missing
  public record Tick(LocalDateTime time, double price, double volume) {

    public Tick {
      Known.requireNotInfinite("price", price);
      Known.requireNotInfinite("volume", volume);
    }
  }

  /// What was filled in a bar.
  public record Fill(LocalDateTime time, double price, double amount) {

    public Fill {
      Known.require("price", price);
      Known.require("amount", amount);
    }
  }

  public ExampleOrder {
    Known.require("advantageBps", advantageBps);
    ticks = List.copyOf(ticks);
    fills = List.copyOf(fills);
    requireOrder("ticks", ticks.stream().map(Tick::time).toList());
    requireOrder("fills", fills.stream().map(Fill::time).toList());
    Set<LocalDateTime> times = ticks.stream().map(Tick::time).collect(Collectors.toSet());
    for (Fill fill : fills) {
      if (!times.contains(fill.time())) {
        throw new IllegalArgumentException(
            "fills must be at times of the ticks, was " + fill.time());
      }
    }
  }

  private static void requireOrder(String name, List<LocalDateTime> times) {
    for (int i = 1; i < times.size(); i++) {
      if (!times.get(i - 1).isBefore(times.get(i))) {
        throw new IllegalArgumentException(
            "%s must be in order of time, was %s after %s"
                .formatted(name, times.get(i), times.get(i - 1)));
      }
    }
  }

  /// Executes a few orders again to draw them. They are picked by rank, so that nobody can pick by
  /// taste.
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
          double bps = metrics == null ? 0 : metrics.advantageBps();
          List<Tick> ticks = ticks(state.ticks());
          examples.add(new ExampleOrder(state.order(), caption, bps, ticks, fills(state)));
        });
    return examples;
  }

  private static int at(List<Integer> sorted, double part) {
    return sorted.get((int) Math.round(part * (sorted.size() - 1)));
  }

  private static List<Tick> ticks(DayTicks day) {
    var ticks = new ArrayList<Tick>();
    for (int tick = 0; tick < day.count(); tick++) {
      ticks.add(new Tick(BarTime.dateTime(day.time(tick)), day.price(tick), day.volume(tick)));
    }
    return ticks;
  }

  private static List<Fill> fills(ExecutionState state) {
    var fills = new ArrayList<Fill>();
    for (int row = 0; row < state.rows(); row++) {
      if (state.filled(row) > 0) {
        var time = BarTime.dateTime(state.ticks().time(state.firstTick() + row));
        fills.add(new Fill(time, state.tradePrice(row), state.filled(row)));
      }
    }
    return fills;
  }
}
