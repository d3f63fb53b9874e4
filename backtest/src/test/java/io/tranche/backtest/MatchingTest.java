package io.tranche.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.testkit.Allocation;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MatchingTest {

  private static final Kind MARKET = ChildOrder.market(0).kind();

  private static DayTicks ticks(double[] prices, double... volumes) {
    long[] times = new long[prices.length];
    Arrays.setAll(times, i -> 60L * i);
    return DayTicks.of("SH600000", times, prices, volumes, false);
  }

  private static DayTicks flat(double... volumes) {
    double[] prices = new double[volumes.length];
    Arrays.fill(prices, 10);
    return ticks(prices, volumes);
  }

  /// Works one child order over all ticks.
  private static Fills work(
      Frictions frictions, DayTicks ticks, Side side, ChildOrder child, double left, boolean last) {
    Matching matching = Matching.of(frictions);
    Fills fills = matching.fills(ticks, side, 0, ticks.count());
    matching.match(fills, child.kind(), child.volume(), left, last, 0, ticks.count());
    return fills;
  }

  private static Fills buy(Frictions frictions, DayTicks ticks, double volume) {
    return work(frictions, ticks, Side.BUY, ChildOrder.market(volume), 1000, false);
  }

  @Test
  void spreadsAMarketOrderEvenly() {
    Fills fills = buy(Frictions.NONE, flat(1, 1, 1), 30);

    assertThat(fills.amounts()).containsExactly(10, 10, 10);
    assertThat(fills.prices()).isNull();
    assertThat(fills.fees()).isNull();
  }

  @Test
  void spreadsAllThatRemainsOverTheLastSlice() {
    DayTicks ticks = flat(1, 1, 1, 1);

    for (ChildOrder child :
        List.of(ChildOrder.market(30), ChildOrder.market(0), ChildOrder.cancel())) {
      assertThat(work(Frictions.NONE, ticks, Side.SELL, child, 100, true).amounts())
          .containsExactly(25, 25, 25, 25);
    }
  }

  @Test
  void givesTheFinalTickAllTheRestAsQlibsSimpleSimulatorDoes() {
    Matching matching = Matching.of(FillRule.QLIB_SIMPLE, Frictions.NONE);
    Fills fills = matching.fills(flat(1, 1, 1), Side.SELL, 0, 3);

    matching.match(fills, MARKET, 30, 100, true, 0, 3);

    assertThat(fills.amounts()).containsExactly(10, 10, 80);
  }

  @Test
  void takesNoMoreThanItsShareOfTheVolume() {
    Frictions capped = Frictions.NONE.withParticipation(0.1);

    assertThat(buy(capped, flat(50, 0, 1000), 30).amounts()).containsExactly(5, 0, 10);
    assertThat(
            work(capped, flat(50, 0, 1000), Side.BUY, ChildOrder.market(30), 500, true).amounts())
        .containsExactly(5, 0, 100);
    assertThat(
            work(capped, flat(1000, 0, 1000), Side.BUY, ChildOrder.market(0), 150, true).amounts())
        .containsExactly(50, 0, 100);
  }

  @Test
  void carriesWhatLotsRoundOff() {
    Frictions lots = Frictions.NONE.withLot(100);

    assertThat(buy(lots, flat(1, 1, 1, 1, 1), 250).amounts()).containsExactly(0, 100, 0, 100, 0);
    assertThat(work(lots, flat(1, 1), Side.BUY, ChildOrder.market(100), 350, true).amounts())
        .containsExactly(100, 200);
  }

  @Test
  void doesNotBuyAtTheUpperLimitNorSellAtTheLower() {
    DayTicks ticks = flat(1, 1, 1).withChanges(new double[] {0.1, -0.1, Double.NaN});
    Frictions limited = Frictions.NONE.withPriceLimit(0.095);

    assertThat(buy(limited, ticks, 30).amounts()).containsExactly(0, 15, 15);
    assertThat(work(limited, ticks, Side.SELL, ChildOrder.market(30), 100, false).amounts())
        .containsExactly(15, 0, 15);
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> buy(limited, flat(1, 1), 30))
        .withMessageContaining("changes since the previous close");
  }

  @Test
  void waitsUntilTheDecisionArrives() {
    assertThat(buy(Frictions.NONE.withLatency(2), flat(1, 1, 1, 1), 30).amounts())
        .containsExactly(0, 0, 15, 15);
    assertThat(
            work(
                    Frictions.NONE.withLatency(9),
                    flat(1, 1),
                    Side.BUY,
                    ChildOrder.market(30),
                    90,
                    true)
                .amounts())
        .containsOnly(0);
  }

  @Test
  void tradesMissingBarsAsQlibsSimpleSimulatorDoes() {
    DayTicks ticks = ticks(new double[] {10, Double.NaN, 10}, 1, Double.NaN, 1);
    Matching matching = Matching.of(FillRule.QLIB_SIMPLE, Frictions.NONE);
    Fills fills = matching.fills(ticks, Side.BUY, 0, 3);

    matching.match(fills, MARKET, 30, 100, true, 0, 3);

    assertThat(fills.amounts()).containsExactly(10, 10, 80);
  }

  @Test
  void tradesNothingAtMissingBars() {
    DayTicks ticks =
        ticks(new double[] {10, Double.NaN, 10, Double.NaN}, 1, Double.NaN, 1, Double.NaN);

    assertThat(work(Frictions.NONE, ticks, Side.BUY, ChildOrder.market(30), 100, true).amounts())
        .containsExactly(50, 0, 50, 0);
  }

  @Test
  void chargesCommissionTaxesAndAtLeastTheMinimumOfEachFill() {
    Costs costs = Costs.NONE.withCommission(0.01).withTaxes(0, 0.01);
    Frictions costly = Frictions.NONE.withCosts(costs.withMinimum(5, Costs.Unit.FILL));

    assertThat(buy(costly, flat(1, 1), 200).fees()).containsExactly(10, 10);
    assertThat(buy(costly, flat(1, 1), 2).fees()).containsExactly(5, 5);
    assertThat(buy(costly, flat(1, 1), 0).fees()).containsExactly(0, 0);
    assertThat(work(costly, flat(1), Side.SELL, ChildOrder.market(100), 100, false).fees())
        .containsExactly(20);
  }

  @Test
  void chargesTheMinimumOfAnOrderOnceAndThenWhatExceedsIt() {
    Costs costs = Costs.NONE.withCommission(0.01).withMinimum(5, Costs.Unit.PARENT);
    Matching parent = Matching.of(Frictions.NONE.withCosts(costs));
    Matching child = Matching.of(Frictions.NONE.withCosts(costs.withMinimum(5, Costs.Unit.CHILD)));

    assertThat(feesOfTwoChildren(parent)).containsExactly(5, 0, 1, 3); // 2, 4, 6, 9 so far
    assertThat(feesOfTwoChildren(child)).containsExactly(5, 0, 5, 0); // 2, 4; then 2, 5
  }

  private static double[] feesOfTwoChildren(Matching matching) {
    Fills fills = matching.fills(ticks(new double[] {10, 10, 10, 15}, 1, 1, 1, 1), Side.BUY, 0, 4);
    matching.match(fills, MARKET, 40, 80, false, 0, 2);
    matching.match(fills, MARKET, 40, 40, true, 2, 4);
    return Objects.requireNonNull(fills.fees());
  }

  @Test
  void paysHalfTheSpreadWhereThereAreNoQuotes() {
    Frictions wide = Frictions.NONE.withCosts(Costs.NONE.withHalfSpread(100));
    DayTicks quoted =
        flat(1, 1).withQuotes(new double[] {9, Double.NaN}, new double[] {11, Double.NaN});

    assertThat(buy(wide, flat(1, 1), 20).prices()).containsExactly(10.1, 10.1);
    assertThat(buy(wide, quoted, 20).prices()).containsExactly(10, 10.1);
    assertThat(work(wide, flat(1), Side.SELL, ChildOrder.market(10), 10, false).prices())
        .containsExactly(10 / 1.01);
    // A limit order crosses at the price with half the spread, and otherwise pays its limit.
    DayTicks falling = ticks(new double[] {10, 10, 9.8}, 1, 1, 1);
    Matching matching = Matching.of(wide);
    Fills crossing = matching.fills(falling, Side.BUY, 1, 3);
    matching.match(crossing, new Kind.Limit(-200), 5, 5, false, 1, 3);
    assertThat(crossing.prices()).containsExactly(10.1, 9.8);
    Fills resting = matching.fills(falling, Side.BUY, 1, 3);
    matching.match(resting, new Kind.Limit(0), 5, 5, false, 1, 3);
    assertThat(resting.amounts()).containsExactly(0, 5);
    assertThat(resting.prices()).containsExactly(10, 10);
  }

  @Test
  void movesThePriceAgainstTheOrder() {
    Frictions linear = Frictions.NONE.withCosts(Costs.NONE.withImpacts(new Impact.Linear(0.1)));
    Frictions root = Frictions.NONE.withCosts(Costs.NONE.withImpacts(new Impact.SquareRoot(0.1)));
    Frictions fading =
        Frictions.NONE.withCosts(Costs.NONE.withImpacts(new Impact.Transient(0.1, 0.5)));

    assertThat(buy(linear, flat(40, 0), 20).prices()).containsExactly(10.25, 11);
    assertThat(buy(root, flat(40, 1000), 20).prices()).containsExactly(10.5, 10.1);
    assertThat(buy(fading, flat(100, 100), 20).prices())
        .containsExactly(new double[] {10.1, 10.15}, within(1e-12));
    assertThat(work(linear, flat(40), Side.SELL, ChildOrder.market(10), 10, false).prices())
        .containsExactly(10 / 1.025);
  }

  @Test
  void fillsALimitOrderWhereTheRangeGoesThroughIt() {
    DayTicks ticks =
        ticks(new double[] {10, 10, 10, 10}, 100, 100, 100, 100)
            .withRange(new double[] {10, 10, 11, 11}, new double[] {10, 9.9, 9.8, 9});
    Matching matching = Matching.of(Frictions.NONE.withParticipation(0.3));
    Fills fills = matching.fills(ticks, Side.BUY, 1, 4);

    double filled =
        matching.match(fills, new Kind.Limit(100), 50, 1000, false, 1, 4); // 1 % below 10

    assertThat(fills.amounts()).containsExactly(0, 30, 20); // 9.9 is only touched at first
    assertThat(fills.prices()).containsExactly(10, 9.9, 9.9);
    assertThat(filled).isEqualTo(50);
  }

  @Test
  void fillsALimitOrderWhereTheOtherSideQuotesIt() {
    DayTicks ticks =
        ticks(new double[] {10, 10, 10}, 100, 100, 100)
            .withQuotes(new double[] {9.9, 10.3, 10.2}, new double[] {10.2, 10.4, 10.3});
    Matching matching = Matching.of(Frictions.NONE);
    Fills fills = matching.fills(ticks, Side.SELL, 1, 3);

    matching.match(fills, new Kind.Limit(-100), 50, 1000, false, 1, 3); // 1 % below the ask of 10.2

    assertThat(fills.amounts()).containsExactly(50, 0);
    assertThat(fills.prices()).containsExactly(10.3, 10); // it crosses, and gets the bid
  }

  @Test
  void fillsALimitOrderAtTheDealPriceWhereBarsHaveNothingElse() {
    DayTicks ticks = ticks(new double[] {10, 10.5, 9.5, 9.5}, 1, 1, 1, 1);
    Matching matching = Matching.of(Frictions.NONE.withParticipation(1));
    Fills fills = matching.fills(ticks, Side.BUY, 0, 4);

    matching.match(fills, new Kind.Limit(100), 2, 2, false, 0, 4);

    assertThat(fills.amounts()).containsExactly(0, 0, 1, 1);
    assertThat(fills.prices()).containsExactly(10, 10.5, 9.9, 9.9);
  }

  @Test
  void clearsTheRestOfALimitOrderAtTheLastTick() {
    DayTicks ticks = ticks(new double[] {10, 10.5, 9.5, 11}, 1, 1, 10, 10);
    Matching matching = Matching.of(Frictions.NONE.withParticipation(1));
    Fills fills = matching.fills(ticks, Side.BUY, 1, 4);

    matching.match(fills, new Kind.Limit(0), 2, 14, true, 1, 4); // rests with all 14

    assertThat(fills.amounts()).containsExactly(0, 10, 4);
    assertThat(fills.prices()).containsExactly(10.5, 10, 11);
  }

  @Test
  void aCancelTradesNothingUntilTheLastSlice() {
    assertThat(work(Frictions.NONE, flat(1, 1), Side.BUY, ChildOrder.cancel(), 8, false).amounts())
        .containsExactly(0, 0);
    assertThat(work(Frictions.NONE, flat(1, 1), Side.BUY, ChildOrder.cancel(), 8, true).amounts())
        .containsExactly(4, 4);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ChildOrder(1, new Kind.Cancel()))
        .withMessage("volume of a cancel must be 0, was 1.0");
  }

  @Test
  void whatAHaltLeavesCountsAtTheLastPriceThatCouldTrade() {
    double none = Double.NaN;
    DayTicks halted = ticks(new double[] {10, 11, none, none}, 1, 1, none, none);
    DayTicks atLimit = flat(1, 1, 1).withChanges(new double[] {0, 0.1, 0.1});
    Matching matching = Matching.of(Frictions.NONE.withPriceLimit(0.1));
    Matching plain = Matching.of(Frictions.NONE);
    Fills fills = plain.fills(halted, Side.BUY, 0, 4);

    assertThat(plain.match(fills, MARKET, 0, 8, true, 2, 4)).isZero();

    assertThat(plain.restPrice(halted, Side.BUY, 0, 4)).isEqualTo(11);
    assertThat(plain.restPrice(halted, Side.BUY, 2, 4)).isNaN();
    DayTicks rising = ticks(new double[] {10, 11, 12}, 1, 1, 1).withChanges(new double[] {0, 1, 1});
    assertThat(matching.restPrice(rising, Side.BUY, 0, 3)).isEqualTo(10);
    assertThat(matching.restPrice(rising, Side.SELL, 0, 3)).isEqualTo(12);
    assertThat(matching.restPrice(rising, Side.BUY, 1, 3)).isEqualTo(12); // nothing could trade
    assertThat(matching.restPrice(atLimit, Side.BUY, 0, 3)).isEqualTo(10);
  }

  @Test
  void aLimitOrderInTheLastSliceTradesItsRestWhereItLastCan() {
    double none = Double.NaN;
    DayTicks ticks = ticks(new double[] {10, 12, 12, none}, 100, 100, 100, none);
    Matching matching = Matching.of(Frictions.NONE.withParticipation(0.5).withLot(10));
    Fills fills = matching.fills(ticks, Side.BUY, 1, 4);

    double filled = matching.match(fills, new Kind.Limit(0), 0, 75, true, 1, 4);

    assertThat(fills.amounts()).containsExactly(0, 50, 0); // no more than the cap of 50
    assertThat(filled).isEqualTo(50);
  }

  /// A live order is matched step by step, each time with the bars that have come.
  @Test
  void aDayThatGrowsFillsLikeTheWholeDay() {
    double none = Double.NaN;
    Costs costs =
        Costs.preset("cn_stocks")
            .withImpacts(new Impact.Linear(0.1), new Impact.Transient(0.1, 0.9));
    Matching matching = Matching.of(Frictions.NONE.withLot(10).withCosts(costs));
    DayTicks early = ticks(new double[] {10, 11, none, none}, 50, 60, none, none);
    DayTicks whole = ticks(new double[] {10, 11, 12, 13}, 50, 60, 70, 80);
    Fills live = matching.fills(early, Side.SELL, 0, 4);
    Fills simulated = matching.fills(whole, Side.SELL, 0, 4);

    matching.match(live, MARKET, 50, 100, false, 0, 2);
    live.follow(whole);
    matching.match(live, new Kind.Limit(5), 50, 50, true, 2, 4);
    matching.match(simulated, MARKET, 50, 100, false, 0, 2);
    matching.match(simulated, new Kind.Limit(5), 50, 50, true, 2, 4);

    assertThat(live.amounts()).isEqualTo(simulated.amounts());
    assertThat(live.prices()).isEqualTo(simulated.prices());
    assertThat(live.fees()).isEqualTo(simulated.fees());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> live.follow(flat(1, 1)))
        .withMessage("ticks must be the same day's with 4 ticks or more, was SH600000 with 2");
  }

  @Test
  void allocatesNothingOnceWarm() {
    Frictions all =
        new Frictions(
            0.2,
            10,
            0.095,
            1,
            Costs.preset("cn_stocks")
                .withImpacts(new Impact.Linear(0.1), new Impact.Transient(0.1, 0.9)));
    DayTicks ticks = flat(new double[240]).withChanges(new double[240]);
    Matching plain = Matching.of(Frictions.NONE);
    Matching full = Matching.of(all);
    Fills plainFills = plain.fills(ticks, Side.BUY, 0, 240);
    Fills fullFills = full.fills(ticks, Side.SELL, 0, 240);
    Kind limit = new Kind.Limit(5);
    Runnable working =
        () -> {
          for (int i = 0; i < 10_000; i++) {
            plain.match(plainFills, MARKET, 30, 500, false, 30, 60);
            full.match(fullFills, MARKET, 30, 500, true, 30, 60);
            full.match(fullFills, limit, 30, 500, true, 60, 90);
          }
        };

    // The measurement itself takes some.
    assertThat(Allocation.settledBytesOf(2_000, working)).isLessThan(2_000);
  }
}
