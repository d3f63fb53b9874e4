package io.tranche.execution.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.testkit.Cases;
import org.junit.jupiter.api.Test;

class AlmgrenChrissBaselineTest {

  /// The example of the paper's section 4: a million shares at 50 in five days, at 95 % of a price
  /// unit of volatility a day.
  private static final AlmgrenChrissBaseline PAPER =
      new AlmgrenChrissBaseline(2e-6, 0.95, 2.5e-6, 2.5e-7);

  @Test
  void followsTheAnalyticTrajectory() {
    // k from cosh(k) = 1 + (2e-6 x 0.95^2 / 2.375e-6) / 2, by its definition.
    double k = arcosh(1 + 2e-6 * 0.95 * 0.95 / (2.5e-6 - 1.25e-7) / 2);

    assertThat(PAPER.decay()).isEqualTo(k, within(1e-12));
    for (int day = 0; day <= 5; day++) {
      assertThat(PAPER.holding(day, 5))
          .isEqualTo(Math.sinh(k * (5 - day)) / Math.sinh(k * 5), within(1e-12));
    }
  }

  private static double arcosh(double x) {
    return Math.log(x + Math.sqrt(x * x - 1));
  }

  @Test
  void withoutRiskAversionItIsTwap() {
    var careless = new AlmgrenChrissBaseline(0, 1, 1, 0);

    assertThat(careless.holding(3, 10)).isEqualTo(0.7, within(1e-15));
    // Close to that limit nothing jumps.
    assertThat(new AlmgrenChrissBaseline(1e-12, 1, 1, 0).holding(3, 10))
        .isEqualTo(0.7, within(1e-10));
  }

  @Test
  void greatUrgencyDoesNotOverflow() {
    var hasty = new AlmgrenChrissBaseline(1e6, 10, 1e-3, 0);

    assertThat(hasty.holding(1, 1000)).isBetween(0.0, 1e-9);
    assertThat(hasty.holding(1000, 1000)).isZero();
    assertThat(hasty.holding(0, 1000)).isOne();
  }

  /// Expected cost plus risk, written down from the model and not from its solution, is least on
  /// the schedule: every other one costs more.
  @Test
  void noOtherScheduleCostsLess() {
    Cases.forAll(
        Cases.count(10_000, 100_000),
        random -> {
          double permanent = random.nextDouble(0, 1e-3);
          var baseline =
              new AlmgrenChrissBaseline(
                  random.nextDouble(0, 1e-2),
                  random.nextDouble(0, 2),
                  permanent / 2 + random.nextDouble(1e-4, 1e-2),
                  permanent);
          int ticks = random.nextInt(2, 20);
          double[] best = new double[ticks + 1];
          for (int tick = 0; tick <= ticks; tick++) {
            best[tick] = 1000 * baseline.holding(tick, ticks);
          }
          double[] other = best.clone();
          other[random.nextInt(1, ticks)] += random.nextDouble(-100, 100);

          assertThat(cost(baseline, best)).isLessThanOrEqualTo(cost(baseline, other) * (1 + 1e-12));
        });
  }

  /// Equations 4 to 6 of the paper with periods of one tick: permanent impact on what is still
  /// held, temporary impact on what is traded, and the variance of what is held.
  private static double cost(AlmgrenChrissBaseline model, double[] holdings) {
    double cost = 0;
    for (int tick = 1; tick < holdings.length; tick++) {
      double traded = holdings[tick - 1] - holdings[tick];
      cost += model.permanentImpact() * traded * holdings[tick];
      cost += model.temporaryImpact() * traded * traded;
      cost +=
          model.riskAversion()
              * model.volatility()
              * model.volatility()
              * holdings[tick]
              * holdings[tick];
    }
    return cost;
  }

  @Test
  void impossibleMarketsAreRefused() {
    assertThatThrownBy(() -> new AlmgrenChrissBaseline(1, 1, 1, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("temporaryImpact must be finite and exceed half of permanentImpact, was 1.0");
    assertThatThrownBy(() -> new AlmgrenChrissBaseline(-1, 1, 1, 0))
        .hasMessage("riskAversion must be finite and not negative, was -1.0");
  }
}
