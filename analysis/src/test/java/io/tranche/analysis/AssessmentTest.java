package io.tranche.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.PolicyResults;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What an assessment says beside its verdict. Twenty days that lie 5 bps above and below a mean in
/// turns have an error of `5 / sqrt(19)`, 1.147 bps, and 19 degrees of freedom.
class AssessmentTest {

  private static final List<Order> ORDERS = Results.orders(20, 2);

  private static ToDoubleFunction<Order> around(double mean) {
    return order -> mean + (Results.day(order) % 2 == 0 ? 5 : -5);
  }

  private static PolicyResults agent(ToDoubleFunction<Order> bps) {
    return Results.of("agent", ORDERS, bps);
  }

  private static Assessment assessment(PolicyResults agent, @Nullable PolicyResults linear) {
    var yardsticks =
        new Yardsticks(
            Results.of("TWAP", ORDERS, _ -> 0),
            List.of(
                Results.of("always action 0", ORDERS, _ -> 3),
                Results.of("always action 1", ORDERS, around(-2))),
            null,
            null,
            linear,
            null,
            Results.of("oracle", ORDERS, _ -> 70));
    return Assessment.of(agent, yardsticks);
  }

  private static List<String> remarks(ToDoubleFunction<Order> bps) {
    return assessment(agent(bps), null).remarks();
  }

  private static List<String> besideLinear(double agent, double linear) {
    return assessment(agent(around(agent)), Results.of("linear", ORDERS, _ -> linear)).remarks();
  }

  /// The interval ends at 1.3 + 2.093 errors; 2.093 + 0.861 errors would have been seen.
  @Test
  void noDifferenceSaysWhatCouldStillHide() {
    assertThat(remarks(around(1.3)))
        .containsExactly(
            "Not ruled out: an advantage of up to 3.7 bps over TWAP. One of 3.4 bps would have been"
                + " seen in four of five such samples.");
  }

  /// Shown to be better than TWAP, but not than the constant action, which wins 3 bps.
  @Test
  void whatDoesNotBeatAConstantActionMayHideAnAdvantageToo() {
    assertThat(remarks(around(4)))
        .containsExactly(
            "Not ruled out: an advantage of up to 6.4 bps over TWAP. One of 3.4 bps would have been"
                + " seen in four of five such samples.");
  }

  @Test
  void whatIsShownLeavesNothingToRuleOut() {
    assertThat(assessment(agent(around(9)), null).verdict().kind()).isEqualTo(Verdict.Kind.BETTER);
    assertThat(remarks(around(9))).isEmpty();
    assertThat(assessment(agent(around(-9)), null).verdict().kind()).isEqualTo(Verdict.Kind.WORSE);
    assertThat(remarks(around(-9))).isEmpty();
  }

  @Test
  void whereNothingWasMeasuredNothingIsRuledOut() {
    assertThat(remarks(_ -> 0)).isEmpty(); // TWAP itself
    assertThat(remarks(order -> order.side() == Side.SELL ? 72 : -72)).isEmpty();
    assertThat(remarks(around(-2))).isEmpty(); // a constant action
  }

  @Test
  void saysWhatIsLeftWithoutTheMarketsMoves() {
    Assessment real = assessment(agent(around(1.3)), null);
    var twap = Results.of("TWAP", ORDERS, _ -> 0);
    Comparison better = Comparison.of(agent(around(9)), twap);

    assertThat(real.withNeutral(better).remarks())
        .hasSize(2)
        .last()
        .isEqualTo(
            "Without the market's moves: better than TWAP by 9.0 bps (95 % 6.6 to 11.4, 20 days,"
                + " 100.0 % filled).");
    assertThat(real.withNeutral(Comparison.of(twap, twap)).remarks()).hasSize(1);
  }

  @Test
  void anAgentThatIsNoBetterThanTheLinearBaselineNeedsNoNetwork() {
    String remark =
        "It is not shown to be better than the linear baseline: what it has learnt needs no"
            + " network.";
    // The interval of the difference reaches 2.4 bps to each side.
    assertThat(besideLinear(9, 7)).containsExactly(remark);
    assertThat(besideLinear(9, 12)).containsExactly(remark);
    assertThat(besideLinear(9, 6)).isEmpty();
    // One that is not better than TWAP has learnt nothing that a network could be needed for.
    assertThat(besideLinear(1.3, 1.3)).hasSize(1).first().asString().startsWith("Not ruled out");
  }
}
