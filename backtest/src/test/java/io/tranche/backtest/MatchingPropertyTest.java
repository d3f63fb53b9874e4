package io.tranche.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tranche.backtest.ReadableMatching.Fill;
import io.tranche.market.Side;
import io.tranche.testkit.Cases;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MatchingPropertyTest {

  private static final int COUNT = Cases.count(10_000, 100_000);

  /// One order worked through a whole random day, slice by slice.
  private static final class Run {
    final Frictions frictions;
    final DayTicks ticks;
    final Side side;
    final int firstTick;
    final Matching matching;
    final Fills fills;
    final ReadableMatching twin;
    final ParentOrder parent;
    int from;

    Run(SplittableRandom random) {
      int count = random.nextInt(1, 60);
      ticks = RandomMarket.day(random, count);
      frictions = RandomMarket.frictions(random);
      side = RandomMarket.side(random);
      firstTick = random.nextInt(count);
      matching = Matching.of(frictions);
      fills = matching.fills(ticks, side, firstTick, count);
      twin = new ReadableMatching(frictions, ticks, side);
      double amount = random.nextDouble(1, 20_000);
      parent = new ParentOrder(amount, 1e-9 * amount);
      from = firstTick;
    }

    boolean isOver() {
      return from == ticks.count() || parent.status().isFinal();
    }

    double amount(int tick) {
      return fills.amounts()[tick - firstTick];
    }

    double price(int tick) {
      double[] prices = fills.prices();
      return prices == null ? ticks.price(tick) : prices[tick - firstTick];
    }

    double fee(int tick) {
      double[] fees = fills.fees();
      return fees == null ? 0 : fees[tick - firstTick];
    }
  }

  @Test
  void agreesWithTheReadableTwinToTheLastBit() {
    Cases.forAll(
        COUNT,
        random -> {
          var run = new Run(random);
          while (!run.isOver()) {
            int to = Math.min(run.from + random.nextInt(1, 20), run.ticks.count());
            boolean last = to == run.ticks.count();
            double remaining = run.parent.remaining();
            ChildOrder child = RandomMarket.child(random, remaining);

            double filled =
                run.matching.match(
                    run.fills, child.kind(), child.volume(), remaining, last, run.from, to);
            List<Fill> expected =
                run.twin.match(child.kind(), child.volume(), remaining, last, run.from, to);

            for (Fill fill : expected) {
              int tick = fill.tick();
              assertThat(new Fill(tick, run.amount(tick), run.price(tick), run.fee(tick)))
                  .isEqualTo(fill); // records compare doubles bit by bit
            }
            run.parent.submit(run.parent.available());
            run.parent.fill(filled);
            run.parent.withdraw();
            run.from = to;
          }
        });
  }

  @Test
  void fillsRespectParentCapLotsLimitsAndLatency() {
    Cases.forAll(
        COUNT,
        random -> {
          var run = new Run(random);
          double amount = run.parent.amount();
          double cash = 0;
          double traded = 0;
          while (!run.isOver()) {
            int to = Math.min(run.from + random.nextInt(1, 20), run.ticks.count());
            boolean last = to == run.ticks.count();
            double remaining = run.parent.remaining();
            ChildOrder child = RandomMarket.child(random, remaining);
            run.parent.submit(last ? remaining : child.volume());

            double filled =
                run.matching.match(
                    run.fills, child.kind(), child.volume(), remaining, last, run.from, to);

            run.parent.fill(filled); // throws if more is filled than is working
            run.parent.withdraw();
            for (int tick = run.from; tick < to; tick++) {
              requireAllowed(run, tick, run.from);
              if (run.amount(tick) > 0) {
                traded += run.amount(tick);
                cash -= run.side.sign() * run.price(tick) * run.amount(tick) + run.fee(tick);
              }
            }
            run.from = to;
          }

          assertThat(run.parent.remaining()).isBetween(0.0, amount);
          if (run.frictions.costs().minimumPer() == Costs.Unit.PARENT) {
            assertThat(fees(run)).isCloseTo(feesOfTheWhole(run), withinPercentage(1e-9));
          }
          assertThat(traded).isCloseTo(run.parent.filled(), within(2e-9 * amount));
          assertThat(cash).isCloseTo(-owed(run), within(1e-9 * Math.abs(owed(run)) + 1e-9));
        });
  }

  private static void requireAllowed(Run run, int tick, int sliceStart) {
    double amount = run.amount(tick);
    assertThat(amount).isNotNegative();
    if (amount == 0) {
      assertThat(run.fee(tick)).isZero();
      return;
    }
    Frictions frictions = run.frictions;
    assertThat(run.ticks.isMissing(tick)).isFalse();
    assertThat(tick - sliceStart).isGreaterThanOrEqualTo(frictions.latency());
    if (Double.isFinite(frictions.participation())) {
      assertThat(amount)
          .isLessThanOrEqualTo(
              frictions.participation() * run.ticks.volume(tick) + 1e-9 * frictions.lot());
    }
    if (frictions.lot() > 0) {
      double lots = amount / frictions.lot();
      assertThat(lots).isCloseTo(Math.rint(lots), within(1e-9));
    }
    double[] changes = run.ticks.changes();
    if (changes != null) {
      assertThat(run.side.sign() * changes[tick]).isLessThan(frictions.priceLimit());
    }
    if (frictions.costs().minimumPer() == Costs.Unit.FILL) {
      assertThat(run.fee(tick)).isGreaterThanOrEqualTo(frictions.costs().minimum());
    }
  }

  private static double fees(Run run) {
    return IntStream.range(run.firstTick, run.from).mapToDouble(run::fee).sum();
  }

  /// Returns the fees of all fills as if they were one.
  private static double feesOfTheWhole(Run run) {
    double value =
        IntStream.range(run.firstTick, run.from)
            .filter(tick -> run.amount(tick) > 0)
            .mapToDouble(tick -> run.amount(tick) * run.price(tick))
            .sum();
    Costs costs = run.frictions.costs();
    double commission = Math.max(value * costs.commission(), value > 0 ? costs.minimum() : 0);
    return commission + value * costs.tax(run.side);
  }

  /// Returns what the order has paid, or for a sale not received, fees included.
  private static double owed(Run run) {
    double value = 0;
    double fees = 0;
    for (int tick = run.firstTick; tick < run.from; tick++) {
      if (run.amount(tick) > 0) {
        value += run.amount(tick) * run.price(tick);
        fees += run.fee(tick);
      }
    }
    return run.side.sign() * value + fees;
  }

  @Test
  void limitFillsNeverPayMoreThanTheLimit() {
    Cases.forAll(
        COUNT,
        random -> {
          int count = random.nextInt(2, 40);
          DayTicks ticks = RandomMarket.day(random, count);
          Side side = RandomMarket.side(random);
          var matching = Matching.of(Frictions.NONE);
          int from = random.nextInt(1, count);
          Fills fills = matching.fills(ticks, side, from, count);
          double offset = random.nextDouble(-50, 100);

          double filled =
              matching.match(
                  fills, ChildOrder.limit(100, offset).kind(), 100, 100, false, from, count);

          assertThat(filled).isBetween(0.0, 100.0);
          double worst = worstPrice(ticks, side, offset, from);
          double[] prices = fills.prices();
          for (int tick = from; prices != null && tick < count; tick++) {
            if (fills.amounts()[tick - from] > 0) {
              assertThat(side.sign() * (prices[tick - from] - worst)).isLessThan(1e-9 * worst);
            }
          }
        });
  }

  /// Returns the limit as seen from the last price before `from`, or the first after it.
  private static double worstPrice(DayTicks ticks, Side side, double offsetBps, int from) {
    int known = from - 1;
    while (known >= 0 && Double.isNaN(ticks.price(known))) {
      known--;
    }
    if (known < 0) {
      known = from;
      while (known < ticks.count() - 1 && Double.isNaN(ticks.price(known))) {
        known++;
      }
    }
    double[] touches = side == Side.BUY ? ticks.bids() : ticks.asks();
    double reference = touches == null ? ticks.price(known) : touches[known];
    return reference * (1 - side.sign() * offsetBps / 10_000);
  }
}
