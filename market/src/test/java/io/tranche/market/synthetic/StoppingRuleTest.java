package io.tranche.market.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.Side;
import io.tranche.market.synthetic.IntradayLaw.DayType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoppingRuleTest {

  private static final int BARS = 48;
  private static final Schedule EIGHT_STEPS = new Schedule(0, BARS, 6);

  /// With three steps of one bar each the value has a closed form: at the open nothing is known,
  /// the last step has no choice, and in between the better of two multiples of one normal number
  /// counts.
  @ParameterizedTest
  @EnumSource
  void agreesWithTheClosedFormOfThreeSteps(DayType type) {
    var law = new IntradayLaw(BARS, 1);
    double pull = law.pull(type);
    double persistence = law.decay() + pull;
    double second = pull; // the second step's price for a pulse of 1
    double third = pull + persistence * pull;
    double deviation = law.volatility(0);

    double value = new StoppingRule(law, type, new Schedule(0, 3, 1)).value(Side.SELL, 0);

    assertThat(value)
        .isCloseTo(
            Math.abs(third - second) * deviation / Math.sqrt(2 * Math.PI), within(value * 1e-3));
  }

  /// Values the rule on simulated days, and rules that stop somewhat earlier or later: none is
  /// worth more.
  @ParameterizedTest
  @EnumSource
  void isWorthWhatItSaysAndMoreThanItsNeighbours(DayType type) {
    var law = new IntradayLaw(BARS, 1);
    var rule = new StoppingRule(law, type, EIGHT_STEPS);
    double[] shifts = {0, -0.05, -0.02, 0.02, 0.05, 0.1};
    int days = 200_000;
    double[] sums = new double[shifts.length];
    double squares = 0;

    for (int day = 0; day < days; day++) {
      var draws = Stream.BARS.of(3, 0, day);
      double[] stepPrices = new double[8];
      double[] pulses = new double[8];
      double pulse = 0;
      double price = 0;
      double mean = 0;
      for (int bar = 0; bar < BARS; bar++) {
        if (bar % 6 == 0) {
          pulses[bar / 6] = pulse;
        }
        double move = law.pull(type) * pulse + law.volatility(bar) * draws.normal();
        price += move;
        pulse = law.decay() * pulse + move;
        stepPrices[bar / 6] += price / 6;
        mean += price / BARS;
      }
      for (int i = 0; i < shifts.length; i++) {
        int step = 0;
        while (step < 7 && rule.gainOfWaiting(step, Side.SELL, pulses[step]) > shifts[i]) {
          step++;
        }
        sums[i] += stepPrices[step] - mean;
        squares += i == 0 ? (stepPrices[step] - mean) * (stepPrices[step] - mean) : 0;
      }
    }

    double error = Math.sqrt(squares) / days;
    assertThat(sums[0] / days).isCloseTo(rule.value(Side.SELL, 0), within(3 * error));
    for (int i = 1; i < shifts.length; i++) {
      assertThat(sums[i]).as("stopping at %s", shifts[i]).isLessThan(sums[0]);
    }
  }

  @Test
  void treatsABuyAsASellUpsideDown() {
    var rule = new StoppingRule(new IntradayLaw(BARS, 1), DayType.BUSY, EIGHT_STEPS);

    for (double pulse = -2; pulse <= 2; pulse += 0.1) {
      assertThat(rule.value(Side.BUY, pulse)).isEqualTo(rule.value(Side.SELL, -pulse));
      assertThat(rule.gainOfWaiting(3, Side.BUY, pulse))
          .isEqualTo(rule.gainOfWaiting(3, Side.SELL, -pulse));
    }
  }

  @Test
  void seesNothingToWinWithoutSignal() {
    for (DayType type : DayType.values()) {
      var rule = new StoppingRule(new IntradayLaw(BARS, 0), type, EIGHT_STEPS);

      assertThat(rule.value(Side.SELL, 1)).isZero();
      assertThat(rule.gainOfWaiting(2, Side.BUY, 1)).isZero();
    }
  }

  @Test
  void sellsIntoRisesOnQuietDaysAndIntoFallsOnBusyOnes() {
    var law = new IntradayLaw(BARS, 1);
    var busy = new StoppingRule(law, DayType.BUSY, EIGHT_STEPS);
    var quiet = new StoppingRule(law, DayType.QUIET, EIGHT_STEPS);

    assertThat(busy.gainOfWaiting(3, Side.SELL, 1)).isPositive();
    assertThat(busy.gainOfWaiting(3, Side.SELL, -1)).isNegative();
    assertThat(quiet.gainOfWaiting(3, Side.SELL, 1)).isNegative();
    assertThat(quiet.gainOfWaiting(3, Side.SELL, -1)).isPositive();
  }
}
