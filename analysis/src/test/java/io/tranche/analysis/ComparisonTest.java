package io.tranche.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import io.tranche.run.play.StudentT;
import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {

  // From tables of Student's distribution.
  @ParameterizedTest
  @CsvSource({"1, 12.7062", "2, 4.3027", "4, 2.7764", "9, 2.2622", "29, 2.0452", "1000, 1.9623"})
  void quantilesAreStudents(int freedom, double expected) {
    assertThat(StudentT.within95(freedom)).isCloseTo(expected, within(1e-4));
  }

  @Test
  void aDayCountsOnceHoweverManyOrdersItHas() {
    // Days of +3, +1 and +2: a mean of 2, whose standard error is 1 / sqrt(3).
    List<Order> few = Results.orders(3, 1);
    List<Order> many = Results.orders(3, 50);

    Difference ofFew = together(few);

    assertThat(ofFew.meanBps()).isEqualTo(2);
    assertThat(ofFew.days()).isEqualTo(3);
    assertThat(ofFew.high() - 2).isCloseTo(4.3027 / Math.sqrt(3), within(1e-3));
    assertThat(together(many).high()).isCloseTo(ofFew.high(), within(1e-9));
  }

  // One-sided quantiles of two degrees of freedom.
  @ParameterizedTest
  @CsvSource({"0.75, 0.8165", "0.9, 1.8856", "0.95, 2.9200", "0.975, 4.3027"})
  void theBoundOfAConfidenceIsStudentsToo(double confidence, double quantile) {
    Difference found = together(Results.orders(3, 1));

    assertThat(found.exceeds(confidence)).isCloseTo(2 - quantile / Math.sqrt(3), within(1e-3));
    assertThat(together(Results.orders(1, 1)).exceeds(confidence)).isNaN();
  }

  /// Forty orders on the first day weigh more than two on each of two others: 1.2 days (Kish), so
  /// the interval and the bound have one degree of freedom.
  @Test
  void theBoundCountsDaysAsTheIntervalDoes() {
    List<Order> orders = new ArrayList<>(Results.orders(3, 1));
    orders.addAll(Results.orders(1, 19));

    Difference found = together(orders);

    assertThat(found.days()).isEqualTo(3);
    assertThat(found.freedom()).isEqualTo(1);
    assertThat(found.exceeds(0.975)).isCloseTo(found.low(), within(1e-9));
    // Quantiles of one degree of freedom.
    assertThat((found.meanBps() - found.exceeds(0.95)) / found.margin())
        .isCloseTo(6.3138 / 12.7062, within(1e-4));
  }

  private static Difference together(List<Order> orders) {
    double[] days = {3, 1, 2};
    return Comparison.of(
            Results.of("agent", orders, order -> days[Results.day(order)]),
            Results.of("TWAP", orders, _ -> 0))
        .together();
  }

  @Test
  void intervalsHoldTheTruthAsOftenAsTheySay() {
    var random = new SplittableRandom(1);
    List<Order> orders = Results.orders(12, 5);
    int held = 0;
    int trials = Cases.count(400, 4_000);
    for (int trial = 0; trial < trials; trial++) {
      double[] days = random.doubles(12, -1, 1).toArray();
      Difference found =
          Comparison.of(
                  Results.of(
                      "agent", orders, o -> 1 + days[Results.day(o)] + random.nextDouble(-1, 1)),
                  Results.of("TWAP", orders, _ -> 0))
              .together();
      held += found.low() <= 1 && 1 <= found.high() ? 1 : 0;
    }
    double error = Math.sqrt(0.95 * 0.05 / trials);
    assertThat((double) held / trials).isCloseTo(0.95, within(3 * error));
  }

  @Test
  void pairsCancelWhatBothPoliciesShare() {
    List<Order> orders = Results.orders(20, 3);
    var random = new SplittableRandom(2);
    PolicyResults twap = Results.of("TWAP", orders, _ -> 100 * random.nextDouble());
    PolicyResults agent =
        new PolicyResults(
            "agent",
            twap.orders().stream()
                .map(r -> OrderResult.of(r.order(), r.advantageBps() + 0.5, 1))
                .toList());

    Comparison comparison = Comparison.of(agent, twap);

    assertThat(comparison.together().low()).isCloseTo(0.5, within(1e-9));
    assertThat(comparison.sides().keySet()).containsExactlyInAnyOrder(Side.values());
  }

  @Test
  void otherOrdersCannotBeCompared() {
    PolicyResults some = Results.of("agent", Results.orders(3, 1), _ -> 0);
    PolicyResults others = Results.of("TWAP", Results.orders(3, 1).reversed(), _ -> 0);

    assertThatThrownBy(() -> Comparison.of(some, others)).hasMessageContaining("the same");
  }
}
