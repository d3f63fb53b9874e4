package io.tranche.runtime;

import io.tranche.market.BarTime;
import io.tranche.market.Side;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;

/// Works synthetic orders on days without trades, so that the JIT compiler has compiled everything
/// before the first real order.
final class WarmUp {

  private static final LocalDate DATE = LocalDate.of(2000, 1, 3);
  private static final int DAYS = 20;

  /// More than one batch, so that an incomplete batch runs too.
  private static final int ORDERS = 70;

  private WarmUp() {}

  static void run(LoadedModel model) {
    var runtime = new DecisionRuntime(model);
    for (int i = 0; i < DAYS; i++) {
      LiveDay day = runtime.openDay("warm-up", DATE, List.of());
      LocalDateTime start = BarTime.dateTime(day.time(0));
      LocalDateTime end = BarTime.dateTime(day.time(day.allTicks() - 1) + 1);
      for (int j = 0; j < ORDERS; j++) {
        day.openOrder("" + j, j % 2 == 0 ? Side.SELL : Side.BUY, 1, start, end);
      }
      for (int tick = 0; tick < day.allTicks(); tick++) {
        decide(runtime, i % 2 == 0);
        day.skipTo(day.time(tick) + 1);
      }
      day.close();
    }
  }

  private static void decide(DecisionRuntime runtime, boolean together) {
    if (together) {
      runtime.decideAll(order -> order.fill(0, 1));
      return;
    }
    for (LiveOrder order : runtime.orders()) {
      if (order.isDue()) {
        order.decide();
      }
    }
  }
}
