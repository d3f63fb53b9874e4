package io.tranche.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.run.play.Difference;
import io.tranche.run.play.StudentT;
import io.tranche.testkit.Python;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

class PowerTest {

  @Test
  void whatIsDetectableIsSeenInFourOfFiveSamples() {
    double scatter = 8;
    Difference pilot = draw(30, 0, scatter, new SplittableRandom(1));
    double effect = Power.detectableBps(pilot);
    var random = new SplittableRandom(2);
    int seen = 0;
    for (int i = 0; i < 2000; i++) {
      // The pilot's own scatter, so that the answer does not depend on how it was drawn.
      double own = pilot.margin() / StudentT.within95(29) * Math.sqrt(30);
      seen += draw(30, effect, own, random).isAboveZero() ? 1 : 0;
    }

    assertThat(seen / 2000.0).isCloseTo(0.8, within(0.03));
  }

  @Test
  void smallerAdvantagesTakeMoreDays() {
    Difference pilot = draw(30, 0, 8, new SplittableRandom(1));

    int five = Power.daysToSee(5, pilot);
    int two = Power.daysToSee(2, pilot);
    int one = Power.daysToSee(1, pilot);

    assertThat(five).isGreaterThanOrEqualTo(Verdict.FEWEST_DAYS);
    assertThat(two).isGreaterThan(3 * five);
    assertThat((double) one / two).isCloseTo(4, within(0.2));
  }

  @Test
  void saysItInOneLinePerAdvantage() {
    Difference pilot = draw(30, 0, 8, new SplittableRandom(1));

    assertThat(new Power(pilot, pilot).lines())
        .hasSize(3)
        .first()
        .asString()
        .startsWith("to see 1 bps over TWAP takes ")
        .contains(" orders) if the agent bets on the market, ");
  }

  /// Every third day has many orders, which share the day's move. Simulated with the pilot's true
  /// error, so that nothing depends on how a pilot was drawn.
  @Test
  void samplesOfAsManyDaysShowTheAdvantageInFourOfFiveCases() {
    double scatter = 8;
    for (double bps : new double[] {4, 8}) {
      int days = Power.daysToSee(bps, unequal(12, scatter));
      var random = new SplittableRandom(3);
      int seen = 0;
      for (int i = 0; i < 4000; i++) {
        var orders = new Difference.Builder();
        for (int day = 0; day < days; day++) {
          double move = bps + scatter * random.nextGaussian();
          for (int order = 0; order < count(day); order++) {
            orders.add(LocalDate.of(2024, 1, 1).plusDays(day), move);
          }
        }
        seen += orders.build().isAboveZero() ? 1 : 0;
      }

      assertThat(seen / 4000.0).as("%s bps in %d days", bps, days).isCloseTo(0.8, within(0.03));
    }
  }

  @Test
  void whatTheDaysOfAPilotCanSeeTakesThatManyDays() {
    Difference pilot = unequal(30, 8);

    assertThat(Power.daysToSee(Power.detectableBps(pilot), pilot)).isBetween(29, 31);
  }

  /// Returns what orders that share the moves of their days look like, with their true error.
  private static Difference unequal(int days, double scatter) {
    int orders = 0;
    double squares = 0;
    for (int day = 0; day < days; day++) {
      orders += count(day);
      squares += Math.pow(count(day), 2);
    }
    double freedom = orders * orders / squares - 1;
    double margin = StudentT.within95(freedom) * scatter * Math.sqrt(squares) / orders;
    return new Difference(orders, days, 0, -margin, margin, freedom);
  }

  private static int count(int day) {
    return day % 3 == 0 ? 20 : 1;
  }

  private static Difference draw(int days, double mean, double scatter, SplittableRandom random) {
    var orders = new Difference.Builder();
    for (int day = 0; day < days; day++) {
      double bps = mean + scatter * random.nextGaussian();
      orders.add(LocalDate.of(2024, 1, 1).plusDays(day), bps);
    }
    return orders.build();
  }

  /// The exact number comes from the noncentral distribution; ours from two quantiles.
  @Test
  void asksForAsManyDaysAsStatsmodels() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("scipy", "statsmodels");
    Difference pilot = draw(30, 0, 8, new SplittableRandom(1));
    double scatter = pilot.margin() / StudentT.within95(29) * Math.sqrt(30);
    Difference unequal = unequal(30, 8);
    double equalDays = unequal.freedom() + 1; // which weigh as much as these 30

    String answer =
        Python.run(
            python,
            """
            import sys
            from scipy import stats
            from statsmodels.stats.power import TTestPower
            for scatter in (float(sys.argv[1]), 8):
                for effect in (0.5, 1, 2):
                    print(TTestPower().solve_power(effect_size=effect / scatter, alpha=0.05, power=0.8))
            for freedom in (1.5, 4, 29, 500):
                print(2 * stats.t.sf(2.3, freedom))
            """,
            Double.toString(scatter));

    double[] peer = answer.strip().lines().mapToDouble(Double::parseDouble).toArray();
    double[] effects = {0.5, 1, 2};
    for (int i = 0; i < effects.length; i++) {
      assertThat(Power.daysToSee(effects[i], pilot) / peer[i]).isCloseTo(1, within(0.03));
      assertThat(Power.daysToSee(effects[i], unequal) / (peer[3 + i] * 30 / equalDays))
          .isCloseTo(1, within(0.03));
    }
    double[] freedoms = {1.5, 4, 29, 500};
    for (int i = 0; i < freedoms.length; i++) {
      assertThat(StudentT.outside(2.3, freedoms[i])).isCloseTo(peer[6 + i], within(1e-6));
    }
  }

  /// The exact advantage comes from the noncentral distribution, its error from leaving out days.
  @Test
  void detectsAsMuchAsScipy() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("scipy", "statsmodels");
    for (boolean isUnequal : new boolean[] {false, true}) {
      var random = new SplittableRandom(4);
      var orders = new Difference.Builder();
      var values = new StringJoiner(",");
      var days = new StringJoiner(",");
      for (int day = 0; day < 30; day++) {
        double move = 8 * random.nextGaussian();
        int count = isUnequal ? 1 + random.nextInt(20) : 5;
        for (int order = 0; order < count; order++) {
          double bps = move + 4 * random.nextGaussian();
          orders.add(LocalDate.of(2024, 1, 1).plusDays(day), bps);
          values.add(Double.toString(bps));
          days.add(Integer.toString(day));
        }
      }

      String answer =
          Python.run(
              python,
              """
              import sys
              import numpy as np
              from scipy import optimize, stats
              y, day = (np.array([float(x) for x in text.split(",")]) for text in sys.argv[1:])
              count = len(np.unique(day))
              left = np.array([y[day != d].mean() for d in np.unique(day)])
              error = np.sqrt((count - 1) / count * ((left - y.mean()) ** 2).sum())
              freedom = 1 / (np.unique(day, return_counts=True)[1] ** 2 / len(y) ** 2).sum() - 1
              for confidence in (0.975, 0.95, 0.9):
                  bound = stats.t.ppf(confidence, freedom)
                  missed = lambda size: stats.nct.cdf(bound, freedom, size) - 0.2
                  print(error * optimize.brentq(missed, 0, 20))
              """,
              values.toString(),
              days.toString());

      double[] peer = answer.strip().lines().mapToDouble(Double::parseDouble).toArray();
      Difference ours = orders.build();
      assertThat(Power.detectableBps(ours) / peer[0]).isCloseTo(1, within(0.02));
      assertThat(Power.detectableBps(ours, 0.95) / peer[1]).isCloseTo(1, within(0.02));
      assertThat(Power.detectableBps(ours, 0.9) / peer[2]).isCloseTo(1, within(0.02));
    }
  }
}
