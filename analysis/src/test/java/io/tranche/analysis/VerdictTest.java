package io.tranche.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class VerdictTest {

  private static Verdict verdict(int days, ToDoubleFunction<Order> bps) {
    List<Order> orders = Results.orders(days, 4);
    return Verdict.of(
        Comparison.of(Results.of("agent", orders, bps), Results.of("TWAP", orders, _ -> 0)));
  }

  /// Noise of a deviation of about 6 around `mean`.
  private static ToDoubleFunction<Order> around(double mean) {
    var random = new SplittableRandom(3);
    return _ -> mean + random.nextDouble(-10, 10);
  }

  @Test
  void saysHowMuchBetter() {
    Verdict verdict = verdict(20, around(10));

    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.BETTER);
    assertThat(verdict.sentence())
        .matches(
            "better than TWAP by \\d+\\.\\d bps \\(95 % \\d+\\.\\d to \\d+\\.\\d, 20 days, 100.0 % filled\\)");
  }

  @Test
  void saysHowMuchWorse() {
    Verdict verdict = verdict(20, around(-10));

    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.WORSE);
    assertThat(verdict.sentence())
        .matches(
            "worse than TWAP by \\d+\\.\\d bps \\(95 % \\d+\\.\\d to \\d+\\.\\d, 20 days, 100.0 % filled\\)");
  }

  @Test
  void noiseIsNoDifference() {
    Verdict verdict = verdict(20, around(0));

    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.NO_DIFFERENCE);
    assertThat(verdict.sentence()).startsWith("no difference from TWAP: ");
  }

  @Test
  void whatOneSideWinsByDriftIsNoDifference() {
    ToDoubleFunction<Order> noise = around(0);
    Verdict verdict =
        verdict(20, order -> noise.applyAsDouble(order) + (order.side() == Side.SELL ? 30 : -10));

    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.NO_DIFFERENCE);
    assertThat(verdict.sentence()).contains("but not on each side: sells ");
  }

  @Test
  void aFewDaysProveNothingHoweverMuchIsWon() {
    Verdict verdict = verdict(9, around(100));

    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.NOT_ENOUGH_DAYS);
    assertThat(verdict.sentence())
        .matches(
            "not enough days to tell from TWAP: 9 of at least 10; so far \\+.* bps \\(95 % .*");
  }

  @Test
  void oneDayHasNoInterval() {
    assertThat(verdict(1, around(100)).sentence()).contains("no interval from one day, 100.0 %");
  }

  @Test
  void whatLosesOnTheWholeIsWorseAlsoIfOneSideDoesNot() {
    ToDoubleFunction<Order> noise = around(0);
    Verdict verdict =
        verdict(20, order -> noise.applyAsDouble(order) + (order.side() == Side.SELL ? -30 : 5));

    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.WORSE);
    assertThat(verdict.sentence()).contains("but not on each side: sells ");
  }

  @Test
  void whatIsNotFilledIsNotCompared() {
    List<Order> orders = Results.orders(20, 4);
    var agent =
        new PolicyResults(
            "agent", orders.stream().map(order -> OrderResult.of(order, 50, 0.148)).toList());

    Verdict verdict = Verdict.of(Comparison.of(agent, Results.of("TWAP", orders, _ -> 0)));

    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.DOES_NOT_COMPLETE);
    assertThat(verdict.sentence())
        .startsWith("does not complete: 14.8 % filled (TWAP 100.0 %) of at least 99 %; +50.0 bps");
  }

  @Test
  void pairsThatCancelAreNotAProvenZero() {
    Verdict verdict = verdict(20, order -> order.side() == Side.SELL ? 72 : -72);

    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.NO_DIFFERENCE);
    assertThat(verdict.sentence())
        .contains("on average: what buys win, sells of the same orders lose")
        .contains("sells 72.0", "buys -72.0", "one order differs by 72.0 bps, 20 days");
  }

  /// An agent that ignores the side. Its mean differs from zero in the last digits, on every day
  /// alike.
  @Test
  void whatRoundingLeavesOfPairsThatCancelIsNoDifference() {
    for (double rounding : new double[] {-1e-9, 1e-9}) {
      ToDoubleFunction<Order> bps =
          order -> rounding + (order.side() == Side.SELL ? 1 : -1) * (Results.day(order) % 5 - 2);
      List<Order> orders = Results.orders(20, 4);
      Comparison all =
          Comparison.of(Results.of("agent", orders, bps), Results.of("TWAP", orders, _ -> 0));

      for (Comparison comparison : List.of(all, all.withoutSides())) {
        assertThat(Verdict.of(comparison).kind()).isEqualTo(Verdict.Kind.NO_DIFFERENCE);
        assertThat(Verdict.of(comparison).sentence())
            .startsWith("no difference from TWAP on average: what buys win, sells of the same ");
      }
    }
  }

  /// Each pair loses the same, such as a fee: that is no rounding.
  @Test
  void whatEveryPairLosesIsWorse() {
    assertThat(verdict(20, order -> -3 + (order.side() == Side.SELL ? 72 : -72)).kind())
        .isEqualTo(Verdict.Kind.WORSE);
  }

  /// Far below a tenth of a basis point, but on each side.
  @Test
  void theSmallestGainCountsIfEachSideShowsIt() {
    assertThat(verdict(20, order -> order.instrument().compareTo("A4") < 0 ? 0.1 : -0.06).kind())
        .isEqualTo(Verdict.Kind.BETTER);
  }

  @Test
  void theSameResultIsCalledThat() {
    assertThat(verdict(20, _ -> 0).sentence())
        .isEqualTo(
            "no difference from TWAP: the same result on every order (20 days, 100.0 % filled)");
  }

  private static Yardsticks yardsticks(List<Order> orders, double optimum) {
    return new Yardsticks(
        Results.of("TWAP", orders, _ -> 0),
        List.of(
            Results.of("always action 0", orders, o -> o.side() == Side.SELL ? 12 : -12),
            Results.of("always action 1", orders, o -> o.side() == Side.SELL ? -9 : 10)),
        null,
        null,
        null,
        Results.of("optimum", orders, _ -> optimum),
        Results.of("oracle", orders, _ -> 70));
  }

  @Test
  void anAgentThatIsAConstantActionIsCalledOne() {
    List<Order> orders = Results.orders(20, 4);
    Yardsticks yardsticks = yardsticks(orders, 14);
    var agent = new PolicyResults("agent", yardsticks.constants().get(1).orders());

    Assessment assessment = Assessment.of(agent, yardsticks);

    assertThat(assessment.constant()).isEqualTo("always action 1");
    assertThat(assessment.verdict().kind()).isEqualTo(Verdict.Kind.NO_DIFFERENCE);
    assertThat(assessment.verdict().sentence())
        .startsWith("The agent has learnt nothing: it is always action 1");
  }

  @Test
  void saysWhichPartOfTheOptimumIsReached() {
    List<Order> orders = Results.orders(20, 4);
    Assessment assessment =
        Assessment.of(Results.of("agent", orders, _ -> 7), yardsticks(orders, 14));

    assertThat(assessment.shareOfOptimum()).isEqualTo(0.5);
    assertThat(assessment.verdict().sentence()).endsWith("; 50 % of what past bars allow.");
  }

  @Test
  void betterThanTwapButNotThanConstantActionsIsNoDifference() {
    List<Order> orders = Results.orders(20, 4);
    Yardsticks yardsticks = yardsticks(orders, 14);
    PolicyResults agent = Results.of("agent", orders, _ -> 7);

    // One action for all orders wins half a basis point; the best of each side win 12 and 10.
    Assessment trained = Assessment.of(agent, yardsticks);
    Assessment judged = Assessment.of(agent, yardsticks, yardsticks);

    assertThat(Objects.requireNonNull(trained.overConstant()).reference())
        .isEqualTo("always action 1");
    assertThat(trained.verdict().kind()).isEqualTo(Verdict.Kind.BETTER);
    assertThat(judged.verdict().kind()).isEqualTo(Verdict.Kind.NO_DIFFERENCE);
    assertThat(judged.verdict().sentence()).contains("but no better than a constant action: worse");
  }

  @Test
  void constantActionsCanBeChosenOnOtherOrdersForEachSide() {
    List<Order> orders = Results.orders(20, 4);
    Yardsticks validation = yardsticks(orders, 14);

    PolicyResults chosen = yardsticks(Results.orders(15, 2), 14).constantsChosenOn(validation);

    assertThat(chosen.meanBps(Side.SELL)).isEqualTo(12);
    assertThat(chosen.meanBps(Side.BUY)).isEqualTo(10);
    assertThat(chosen.policy()).contains("sells 0, buys 1");
  }
}
