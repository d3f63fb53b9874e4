package io.tranche.backtest;

import io.tranche.market.BarTime;
import io.tranche.market.Side;
import java.time.LocalDate;
import java.util.SplittableRandom;

/// Days and frictions of every kind, for properties.
final class RandomMarket {

  private static final long OPEN = BarTime.of(LocalDate.of(2021, 3, 1).atTime(9, 30));

  private RandomMarket() {}

  /// A day of `count` ticks; some have missing bars, ranges, quotes, changes and ticks without
  /// volume.
  static DayTicks day(SplittableRandom random, int count) {
    long[] times = new long[count];
    double[] prices = new double[count];
    double[] volumes = new double[count];
    double[] highs = new double[count];
    double[] lows = new double[count];
    double[] bids = new double[count];
    double[] asks = new double[count];
    double[] changes = new double[count];
    boolean gaps = random.nextBoolean();
    double price = random.nextDouble(1, 100);
    for (int i = 0; i < count; i++) {
      price *= 1 + random.nextDouble(-0.01, 0.01);
      boolean missing = gaps && random.nextInt(5) == 0;
      times[i] = OPEN + 60L * i;
      prices[i] = missing ? Double.NaN : price;
      volumes[i] = missing ? Double.NaN : random.nextInt(6) == 0 ? 0 : random.nextDouble(1, 5000);
      highs[i] = missing ? Double.NaN : price * (1 + random.nextDouble(0.01));
      lows[i] = missing ? Double.NaN : price * (1 - random.nextDouble(0.01));
      bids[i] = missing ? Double.NaN : price * 0.999;
      asks[i] = missing ? Double.NaN : price * 1.001;
      changes[i] = missing ? Double.NaN : random.nextDouble(-0.12, 0.12);
    }
    DayTicks ticks = DayTicks.of("SH600000", times, prices, volumes, random.nextBoolean());
    ticks = random.nextBoolean() ? ticks.withRange(highs, lows) : ticks;
    ticks = random.nextBoolean() ? ticks.withQuotes(bids, asks) : ticks;
    return ticks.withChanges(changes);
  }

  static Frictions frictions(SplittableRandom random) {
    Frictions frictions = Frictions.NONE;
    frictions =
        random.nextBoolean() ? frictions.withParticipation(random.nextDouble(0.5)) : frictions;
    frictions = random.nextBoolean() ? frictions.withLot(random.nextInt(1, 200)) : frictions;
    frictions = random.nextBoolean() ? frictions.withPriceLimit(0.095) : frictions;
    frictions = random.nextBoolean() ? frictions.withLatency(random.nextInt(4)) : frictions;
    return frictions.withCosts(costs(random));
  }

  private static Costs costs(SplittableRandom random) {
    Costs costs = Costs.NONE;
    costs = random.nextBoolean() ? costs.withCommission(random.nextDouble(0.001)) : costs;
    Costs.Unit[] units = Costs.Unit.values();
    costs =
        random.nextBoolean()
            ? costs.withMinimum(random.nextInt(1, 50), units[random.nextInt(units.length)])
            : costs;
    costs = random.nextBoolean() ? costs.withTaxes(random.nextDouble(0.001), 0.0005) : costs;
    costs = random.nextInt(3) == 0 ? costs.withHalfSpread(random.nextDouble(10)) : costs;
    return switch (random.nextInt(4)) {
      case 0 -> costs.withImpacts(new Impact.Linear(random.nextDouble(0.1)));
      case 1 ->
          costs.withImpacts(
              new Impact.SquareRoot(random.nextDouble(0.1)),
              new Impact.Transient(random.nextDouble(0.1), random.nextDouble(1)));
      case 2 -> costs.withImpacts(new Impact.Transient(random.nextDouble(0.1), 1));
      default -> costs;
    };
  }

  static ChildOrder child(SplittableRandom random, double remaining) {
    double volume = random.nextInt(5) == 0 ? remaining : random.nextDouble() * remaining;
    return switch (random.nextInt(5)) {
      case 0 -> ChildOrder.cancel();
      case 1, 2 -> ChildOrder.limit(volume, random.nextDouble(-50, 100));
      default -> ChildOrder.market(volume);
    };
  }

  static Side side(SplittableRandom random) {
    return random.nextBoolean() ? Side.BUY : Side.SELL;
  }
}
