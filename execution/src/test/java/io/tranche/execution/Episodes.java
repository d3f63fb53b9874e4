package io.tranche.execution;

import io.tranche.backtest.DayTicks;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.Side;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.SplittableRandom;

/// Days and orders for tests. The day opens at 09:30 and has a tick a minute.
public final class Episodes {

  public static final LocalDate DAY = LocalDate.of(2021, 3, 1);
  public static final long OPEN = BarTime.of(DAY.atTime(9, 30));

  private Episodes() {}

  public static DayTicks day(double[] prices, double... volumes) {
    long[] times = new long[prices.length];
    Arrays.setAll(times, i -> OPEN + 60L * i);
    return DayTicks.of("SH600000", times, prices, volumes, false);
  }

  /// Prices 10, 11, 12, … and volumes of 100.
  public static DayTicks rising(int ticks) {
    double[] prices = new double[ticks];
    Arrays.setAll(prices, i -> 10.0 + i);
    double[] volumes = new double[ticks];
    Arrays.fill(volumes, 100);
    return day(prices, volumes);
  }

  public static DayTicks random(SplittableRandom random, int ticks) {
    double[] prices = new double[ticks];
    double price = random.nextDouble(1, 100);
    for (int i = 0; i < ticks; i++) {
      price *= 1 + random.nextDouble(-0.01, 0.01);
      prices[i] = price;
    }
    return day(prices, random.doubles(ticks, 0, 1000).toArray());
  }

  /// An order over the ticks from `from` (inclusive) to `to` (exclusive).
  public static Order order(Side side, double amount, int from, int to) {
    return new Order(
        "SH600000",
        side,
        amount,
        BarTime.dateTime(OPEN + 60L * from),
        BarTime.dateTime(OPEN + 60L * to - 1));
  }
}
