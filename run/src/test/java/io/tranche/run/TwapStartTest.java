package io.tranche.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.tensor.Linear;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TwapStartTest {

  private static double[] probabilities(TwapStart start) {
    double[] logits = start.logits();
    double sum = 0;
    for (double logit : logits) {
      sum += Math.exp(logit);
    }
    double[] result = new double[logits.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = Math.exp(logits[i]) / sum;
    }
    return result;
  }

  private static double mean(TwapStart start) {
    double[] p = probabilities(start);
    double mean = 0;
    for (int i = 0; i < p.length; i++) {
      mean += p[i] * start.values().get(i);
    }
    return mean;
  }

  @Test
  void theMeanShareIsThatOfTwapForAnyNumberOfActionsAndSteps() {
    for (int parts = 1; parts <= 20; parts++) {
      for (int steps = 2; steps <= 240; steps += 7) {
        var start = TwapStart.ofShares(CategoricalInterpreter.evenShares(parts), steps);

        assertThat(mean(start)).isCloseTo(1.0 / steps, within(1e-9));
      }
    }
  }

  @Test
  void multiplesOfTheTwapRateHaveTheMeanOne() {
    assertThat(mean(TwapStart.ofMultiples(List.of(0.0, 0.5, 1.0, 2.0, 4.0))))
        .isCloseTo(1, within(1e-9));
    assertThat(mean(TwapStart.ofMultiples(List.of(0.0, 1.0, 1000.0)))).isCloseTo(1, within(1e-9));
  }

  @Test
  void theScheduleOfManyOrdersIsNearlyTwap() {
    double[] p = probabilities(TwapStart.ofShares(CategoricalInterpreter.evenShares(4), 8));
    var random = new SplittableRandom(1);
    double[] traded = new double[8];
    int orders = 20_000;
    for (int order = 0; order < orders; order++) {
      double left = 1;
      for (int step = 0; step < 8; step++) {
        double uniform = random.nextDouble();
        int choice = 0;
        for (; choice < 4 && uniform >= p[choice]; choice++) {
          uniform -= p[choice];
        }
        double share = step == 7 ? left : Math.min(left, choice / 4.0);
        traded[step] += share / orders;
        left -= share;
      }
    }
    for (double share : traded) {
      assertThat(share).isBetween(0.06, 0.3); // the last step takes what is left
    }
    assertThat(traded[0]).isCloseTo(0.125, within(0.01));
  }

  @Test
  void setsTheActorsLastLayer() {
    var weights = new Weights();
    var layer = Linear.plain(weights, "out", 3, 5);
    layer.initialise(new SplittableRandom(1));
    float before = weights.values()[0];

    TwapStart.ofShares(CategoricalInterpreter.evenShares(4), 8).apply(weights, "out");

    Parameter parameter = Objects.requireNonNull(weights.parameter("out.bias"));
    float[] bias = Weights.rowMajor(parameter, weights.values());
    assertThat(bias[0]).isZero();
    assertThat(bias[4]).isCloseTo(4 * bias[1], within(1e-5f)).isNegative();
    assertThat(weights.values()[0]).isIn(before, before * 0.01f);
  }

  @Test
  void refusesWhatCannotBeReached() {
    assertThatThrownBy(() -> TwapStart.ofShares(List.of(0.5, 1.0), 8))
        .hasMessageContaining("was 0.125");
    assertThatThrownBy(() -> TwapStart.ofMultiples(List.of())).hasMessageContaining("mean");
  }
}
