package io.tranche.cli.model;

import io.tranche.market.BarTime;
import io.tranche.market.Side;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LoadedModel;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;

/// Measures roughly how long a decision takes in this process: one second of made-up orders, on a
/// machine that is not idle.
final class DecisionTimer {

  private static final LocalDate DATE = LocalDate.of(2000, 1, 3);
  private static final int DAYS = 10;
  private static final int ORDERS = 70;

  private DecisionTimer() {}

  /// Returns the microseconds per decision on the best of some days.
  static double micros(LoadedModel model) {
    model.warmUp();
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < DAYS; i++) {
      best = Math.min(best, day(new DecisionRuntime(model)));
    }
    return best;
  }

  private static double day(DecisionRuntime runtime) {
    LiveDay day = runtime.openDay("timing", DATE, List.of());
    LocalDateTime start = BarTime.dateTime(day.time(0));
    LocalDateTime end = BarTime.dateTime(day.time(day.allTicks() - 1) + 1);
    for (int i = 0; i < ORDERS; i++) {
      day.openOrder("" + i, Side.SELL, 1, start, end);
    }
    long[] decisions = new long[1];
    long nanos = 0;
    for (int tick = 0; tick < day.allTicks(); tick++) {
      long from = System.nanoTime();
      runtime.decideAll(_ -> decisions[0]++);
      nanos += System.nanoTime() - from;
      day.skipTo(day.time(tick) + 1);
    }
    return nanos / 1e3 / Math.max(1, decisions[0]);
  }
}
