package io.tranche.benchmarks.real;

import io.tranche.analysis.selection.GuardFit;
import io.tranche.analysis.selection.Selection;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import io.tranche.work.judge.Deployment;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// How often a guard opens where there is nothing to win: on the moves of real days, the sign of
/// each of which is drawn by a coin. Tails, sizes and what instruments share are real. The earlier
/// half of the days chooses among as many checkpoints as the end of a training compares, each with
/// coins of its own. Those of a real training have more in common, so this is the worst case.
final class ShuffledDays {

  static final int DRAWS = 300;

  private static final int DAYS = 60;

  private ShuffledDays() {}

  /// Returns the part of the draws on which a guard opens.
  ///
  /// @param file of bars
  /// @param instruments whose days are taken, the last [#DAYS] of each
  static double opens(Path file, List<String> instruments) {
    List<OrderResult> moves = moves(file, instruments);
    if (moves.isEmpty()) {
      return 0;
    }
    List<LocalDate> days =
        moves.stream().map(each -> each.order().date()).distinct().sorted().toList();
    LocalDate later = days.get(days.size() / 2);
    Map<Boolean, List<OrderResult>> halves =
        moves.stream().collect(Collectors.partitioningBy(each -> isBefore(each, later)));
    List<OrderResult> validated = Objects.requireNonNull(halves.get(true));
    List<OrderResult> selected = Objects.requireNonNull(halves.get(false));
    var random = new SplittableRandom(1);
    int opens = 0;
    for (int draw = 0; draw < DRAWS && !validated.isEmpty(); draw++) {
      List<PolicyResults> checkpoints =
          IntStream.range(0, Deployment.COMPARED)
              .mapToObj(_ -> turned(validated, random.nextLong(), 1))
              .toList();
      long coins = random.nextLong();
      var guard =
          GuardFit.fit(
              Selection.of(checkpoints, turned(validated, coins, 0)),
              turned(selected, coins, 0),
              each -> turned(selected, coins, each == null ? 1 : each.size()));
      opens += guard.isTwap() ? 0 : 1;
    }
    return opens / (double) DRAWS;
  }

  private static boolean isBefore(OrderResult result, LocalDate day) {
    return result.order().date().isBefore(day);
  }

  /// Returns what orders won that waited for the second half of a real day.
  private static List<OrderResult> moves(Path file, List<String> instruments) {
    var results = new ArrayList<OrderResult>();
    try (BarSource bars = BarFiles.openSessions(file, ColumnMapping.DEFAULT)) {
      for (String code : instruments) {
        BarSeries series = bars.series(code);
        int close = series.fieldIndex("close");
        int first = Math.max(series.firstDay(), series.endDay() - DAYS);
        for (int number = first; number < series.endDay(); number++) {
          DayFrame day = series.day(number);
          if (day == null || !day.hasBars()) {
            continue;
          }
          double before = day.value(close, day.ticks() / 2);
          double bps = 10_000 * (day.value(close, day.ticks() - 1) / before - 1);
          if (Double.isFinite(bps)) {
            LocalDate date = day.date();
            for (Side side : Side.values()) {
              var order = new Order(code, side, 1, date.atTime(9, 30), date.atTime(15, 0), date);
              results.add(OrderResult.of(order, bps, 1));
            }
          }
        }
      }
    }
    return results;
  }

  /// Turns the results of each day by a coin.
  private static PolicyResults turned(List<OrderResult> results, long seed, double size) {
    var random = new SplittableRandom(seed);
    var signs = new TreeMap<LocalDate, Integer>();
    results.forEach(each -> signs.put(each.order().date(), 0));
    signs.replaceAll((_, _) -> random.nextBoolean() ? 1 : -1);
    return new PolicyResults(
        "the agent",
        results.stream()
            .map(
                each ->
                    OrderResult.of(
                        each.order(),
                        size
                            * Objects.requireNonNull(signs.get(each.order().date()))
                            * each.advantageBps(),
                        1))
            .toList());
  }
}
