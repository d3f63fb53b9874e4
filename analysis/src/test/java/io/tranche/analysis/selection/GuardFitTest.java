package io.tranche.analysis.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.analysis.Comparison;
import io.tranche.execution.DeviationGuard;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GuardFitTest {

  @Test
  void anAgentWithARecordMayDeviateFully() {
    DeviationGuard guard = fit(20, 10, 5, 0);

    assertThat(guard.size()).isEqualTo(1);
    assertThat(guard.reason()).startsWith("supported by 20 selection days: ");
  }

  @Test
  void costsThatGrowFasterThanTheGainGetASmallerSize() {
    assertThat(fitWithCosts(2).size()).isEqualTo(1);
    assertThat(fitWithCosts(8).size()).isEqualTo(0.5);
    assertThat(fitWithCosts(18).size()).isEqualTo(0.25);
    assertThat(fitWithCosts(60).isTwap()).isTrue();
  }

  @Test
  void anAgentWithoutARecordIsTwap() {
    DeviationGuard guard = fit(20, 0, 10, 0);

    assertThat(guard.isTwap()).isTrue();
    assertThat(guard.reason()).startsWith("not supported by 20 selection days: ");
  }

  /// TWAP needs no interval, but the days that shut the guard may hide a gain.
  @Test
  void saysWhatTheDaysCouldHaveShown() {
    PolicyResults doubtful = alternating(1.3, 4.5);
    PolicyResults twap = alternating(0, 0);

    // The error is 4.5 / sqrt(19), and 1.729 + 0.861 errors are needed.
    assertThat(GuardFit.fit(twap, _ -> doubtful).reason())
        .endsWith(
            "; these days would support a true gain of 2.7 bps in four of five cases, and a smaller"
                + " one may hide");
    // 1.328 + 0.861 errors in validation.
    assertThat(
            GuardFit.fit(Selection.of(List.of(alternating(-1, 4.5)), twap), twap, _ -> twap)
                .reason())
        .contains(
            "the chosen checkpoint is not supported by ",
            "a true gain of 2.3 bps in four of five cases");
    assertThat(GuardFit.fit(twap, _ -> twap).reason()).doesNotContain("hide");
  }

  /// Two spans have to support an agent, so each may be less sure than a verdict.
  @Test
  void aRecordMayBeLessSureThanAVerdict() {
    // The 95 % interval begins at -0.16.
    PolicyResults likely = alternating(2.0, 4.5);
    // With 90 % confidence it is above -0.07.
    PolicyResults doubtful = alternating(1.3, 4.5);
    PolicyResults twap = alternating(0, 0);

    assertThat(Comparison.of(likely, twap).together().isAboveZero()).isFalse();
    assertThat(GuardFit.fit(Selection.of(List.of(likely), twap), twap, _ -> likely).reason())
        .startsWith(
            "supported by 20 selection days: +2.0 bps, more than +0.21 with 95 % confidence");
    assertThat(GuardFit.fit(Selection.of(List.of(likely), twap), twap, _ -> doubtful).isTwap())
        .isTrue();
    assertThat(GuardFit.fit(Selection.of(List.of(doubtful), twap), twap, _ -> likely).isTwap())
        .isTrue();
  }

  @Test
  void fewDaysAreNoRecord() {
    assertThat(fit(9, 10, 1, 0))
        .isEqualTo(new DeviationGuard(0, "not enough selection days: 9 of at least 10"));
  }

  /// In a market that falls, an agent that sells early wins. With more sells than buys that looks
  /// like skill.
  @Test
  void aGainOnTheSideOfMostOrdersIsNoRecord() {
    PolicyResults twap = withMoreSells(results(20, 0, 0, 0, 1));

    DeviationGuard guard = GuardFit.fit(twap, _ -> withMoreSells(results(20, 10, 1, 25, 3)));

    assertThat(guard.isTwap()).isTrue();
    assertThat(guard.reason()).startsWith("buys shown to be worse on 20 selection days: ");
  }

  /// As many buys as sells, but of another instrument, which may move the other way.
  @Test
  void aGainOnTheSideOfOneInstrumentIsNoRecord() {
    PolicyResults twap = withOtherBuys(results(20, 0, 0, 0, 1));

    DeviationGuard guard = GuardFit.fit(twap, _ -> withOtherBuys(results(20, 10, 1, 25, 3)));

    assertThat(guard.isTwap()).isTrue();
    assertThat(guard.reason()).startsWith("buys shown to be worse on 20 selection days: ");
  }

  @Test
  void whereEachBuyHasItsSellTheMarketsMoveCancels() {
    DeviationGuard skilled = fit(20, 10, 1, 25);
    DeviationGuard lucky = fit(20, 0, 1, 25);

    assertThat(skilled.size()).isEqualTo(1);
    assertThat(skilled.reason())
        .startsWith("supported by 20 selection days: ")
        .contains("100.0 % filled, buys alone shown to be worse");
    assertThat(lucky.isTwap()).isTrue();
  }

  @Test
  void aSizeAtWhichTheGainIsLostIsNotTaken() {
    PolicyResults twap = results(20, 0, 0, 0, 1);

    DeviationGuard guard =
        GuardFit.fit(
            twap, size -> size == null ? results(20, 10, 8, 0, 1) : results(20, -1, 1, 0, 1));

    assertThat(guard.size()).isEqualTo(1);
  }

  @Test
  void withoutSupportInValidationTheSelectionDaysAreNotAsked() {
    PolicyResults twap = results(20, 0, 0, 0, 1);
    Selection selection = Selection.of(List.of(results(20, -3, 10, 0, 5)), twap);

    DeviationGuard guard =
        GuardFit.fit(
            selection,
            twap,
            _ -> {
              throw new AssertionError("played");
            });

    assertThat(guard.isTwap()).isTrue();
    assertThat(guard.reason())
        .startsWith("the chosen checkpoint is not supported by 20 validation days: ");
  }

  @Test
  void withoutSelectionDaysItIsTwap() {
    PolicyResults twap = results(20, 0, 0, 0, 1);
    Selection selection = Selection.of(List.of(results(20, 10, 1, 0, 5)), twap);

    assertThat(GuardFit.fit(selection, null, _ -> twap).reason())
        .isEqualTo("not enough selection days: 0 of at least 10");
  }

  /// Everything at once wins on one side what it loses on the other; rounding may leave a little.
  @Test
  void whatRoundingLeavesOfTwoSidesIsNoRecord() {
    var random = new SplittableRandom(1);
    var orders = new ArrayList<OrderResult>();
    for (int day = 0; day < 20; day++) {
      LocalDate date = LocalDate.of(2024, 1, 1).plusDays(day);
      double move = 50 * random.nextGaussian();
      for (Side side : Side.values()) {
        var order = new Order("A", side, 100, date.atTime(9, 30), date.atTime(15, 0));
        orders.add(OrderResult.of(order, 1e-9 + (side == Side.SELL ? move : -move), 1));
      }
    }
    var atOnce = new PolicyResults("agent", orders);

    DeviationGuard guard = GuardFit.fit(results(20, 0, 0, 0, 1), _ -> atOnce);

    assertThat(guard.isTwap()).isTrue();
    assertThat(guard.reason())
        .startsWith("one side loses what the other wins on 20 selection days: ");
  }

  /// The error is 4.5 / sqrt(19), so the interval reaches 2.16 bps to each side.
  @Test
  void aGuardThatIsNotShownToBeWorseAtRealPricesIsConfirmed() {
    var fitted = new DeviationGuard(0.75, "supported by 20 selection days");

    assertThat(GuardFit.confirmed(fitted, overTwap(3)))
        .isEqualTo(
            new DeviationGuard(
                0.75,
                "supported by 20 selection days, without the market's moves; with them +3.0, 95 %"
                    + " 0.8 to 5.2"));
    assertThat(GuardFit.confirmed(fitted, overTwap(-2.1)))
        .isEqualTo(
            new DeviationGuard(
                0.75,
                "supported by 20 selection days, without the market's moves; with them -2.1, 95 %"
                    + " -4.3 to 0.1"));
  }

  @Test
  void aGuardThatIsShownToBeWorseAtRealPricesIsTwap() {
    var fitted = new DeviationGuard(0.75, "supported by 20 selection days");

    // One-sided, 1.729 errors below the mean are -3.99.
    assertThat(GuardFit.confirmed(fitted, overTwap(-2.2)))
        .isEqualTo(
            new DeviationGuard(
                0,
                "worse with the market's moves on 20 selection days: -2.2 bps, more than -3.99 with"
                    + " 95 % confidence, 100.0 % filled"));
  }

  private static Comparison overTwap(double mean) {
    return Comparison.of(alternating(mean, 4.5), alternating(0, 0));
  }

  private static PolicyResults withMoreSells(PolicyResults results) {
    var orders = new ArrayList<OrderResult>(results.orders());
    for (OrderResult each : results.orders()) {
      if (each.order().side() == Side.SELL) {
        orders.add(ofOther(each));
      }
    }
    return new PolicyResults(results.policy(), orders);
  }

  private static PolicyResults withOtherBuys(PolicyResults results) {
    return new PolicyResults(
        results.policy(),
        results.orders().stream()
            .map(each -> each.order().side() == Side.BUY ? ofOther(each) : each)
            .toList());
  }

  /// Returns the same result of an order of another instrument.
  private static OrderResult ofOther(OrderResult result) {
    Order order = result.order();
    return OrderResult.of(
        new Order("B", order.side(), order.amount(), order.start(), order.end()),
        result.netAdvantageBps(),
        1);
  }

  private static DeviationGuard fit(int days, double mean, double noise, double tilt) {
    return GuardFit.fit(
        results(days, 0, 0, 0, 1),
        guard -> {
          double size = guard == null ? 1 : guard.size();
          return results(days, size * mean, size * noise, size * tilt, 3);
        });
  }

  /// A gain of 10 bps, and costs that grow with the square of the deviation.
  private static DeviationGuard fitWithCosts(double costs) {
    return GuardFit.fit(
        results(20, 0, 0, 0, 1),
        guard -> {
          double size = guard == null ? 1 : guard.size();
          return results(20, 10 * size - costs * size * size, size, 0, 3);
        });
  }

  /// Twenty days that lie above and below the mean in turns.
  private static PolicyResults alternating(double mean, double distance) {
    var orders = new ArrayList<OrderResult>();
    for (int day = 0; day < 20; day++) {
      LocalDate date = LocalDate.of(2024, 1, 1).plusDays(day);
      var order = new Order("A", Side.SELL, 100, date.atTime(9, 30), date.atTime(15, 0));
      orders.add(OrderResult.of(order, mean + (day % 2 == 0 ? distance : -distance), 1));
    }
    return new PolicyResults("agent", orders);
  }

  /// One buy and one sell per day; `tilt` is won by sells and lost by buys.
  private static PolicyResults results(
      int days, double mean, double noise, double tilt, long seed) {
    var random = new SplittableRandom(seed);
    var orders = new ArrayList<OrderResult>();
    for (int day = 0; day < days; day++) {
      LocalDate date = LocalDate.of(2024, 1, 1).plusDays(day);
      double gain = mean + noise * random.nextGaussian();
      for (Side side : Side.values()) {
        var order = new Order("A", side, 100, date.atTime(9, 30), date.atTime(15, 0));
        orders.add(OrderResult.of(order, gain + (side == Side.SELL ? tilt : -tilt), 1));
      }
    }
    return new PolicyResults("agent", orders);
  }
}
