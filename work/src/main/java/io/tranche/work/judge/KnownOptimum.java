package io.tranche.work.judge;

import io.tranche.analysis.Yardsticks;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.synthetic.Benchmarks;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.RunParts;
import io.tranche.run.play.OrderPlayer;
import java.util.List;

/// The optimum of the embedded market, where it is known: for orders that last the whole day.
final class KnownOptimum {

  private KnownOptimum() {}

  /// Returns `plain` with the optimum, if there is one.
  static Yardsticks added(
      Yardsticks plain, OrderPlayer player, RunParts<?> parts, List<Order> orders) {
    SyntheticConfig config =
        parts.run().data() instanceof BarData data && parts.run().costs().equals(data.usualCosts())
            ? data.market()
            : null;
    if (config == null) {
      return plain;
    }
    var market = new SyntheticMarket(config);
    return areWholeDays(market, orders)
        ? plain.withOptimum(
            player,
            market,
            new Benchmarks(market, market.wholeDay(60 * parts.simulator().minutesPerStep()))
                .optimum())
        : plain;
  }

  private static boolean areWholeDays(SyntheticMarket market, List<Order> orders) {
    var calendar = market.calendar();
    var first = BarTime.dateTime(calendar.time(0)).toLocalTime();
    var end =
        BarTime.dateTime(calendar.time(calendar.dayEnd(0) - 1) + calendar.frequency().seconds())
            .toLocalTime();
    return orders.stream()
        .allMatch(
            order ->
                order.start().toLocalTime().equals(first) && order.end().toLocalTime().equals(end));
  }
}
