package io.tranche.tensor;

import static io.tranche.tensor.Numbers.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AdamTest {

  private final Weights weights = new Weights();
  private final Parameter matrix = weights.matrix("matrix", 3, 7);
  private final Parameter unused = weights.vector("unused", 5);

  @Test
  void followsTheFormulaWithDecay() {
    weights.fillUniform(matrix, 1, new SplittableRandom(1));
    var adam = new Adam(weights, AdamConfig.of(0.01).withWeightDecay(0.1));
    double[] p = new double[21];
    double[] m = new double[21];
    double[] v = new double[21];
    for (int i = 0; i < 21; i++) {
      p[i] = weights.values()[i];
    }
    for (int t = 1; t <= 20; t++) {
      float[] gradients = random(t, weights.size());

      adam.step(gradients);

      for (int i = 0; i < 21; i++) {
        double g = gradients[i] + 0.1 * p[i];
        m[i] = 0.9 * m[i] + 0.1 * g;
        v[i] = 0.999 * v[i] + 0.001 * g * g;
        double divisor = Math.sqrt(v[i]) / Math.sqrt(1 - Math.pow(0.999, t)) + 1e-8;
        p[i] -= 0.01 / (1 - Math.pow(0.9, t)) * m[i] / divisor;
        assertThat(weights.values()[i]).isCloseTo((float) p[i], within(2e-6f));
      }
    }
    assertThat(adam.steps()).isEqualTo(20);
  }

  @Test
  void leavesWhatIsExcludedAlone() {
    weights.fillUniform(unused, 1, new SplittableRandom(1));
    unused.exclude();
    float[] before = weights.values().clone();
    var adam = new Adam(weights, AdamConfig.of(0.01).withWeightDecay(0.1));

    adam.step(random(1, weights.size()));

    assertThat(Weights.rowMajor(unused, weights.values()))
        .isEqualTo(Weights.rowMajor(unused, before));
    assertThat(Weights.rowMajor(matrix, weights.values()))
        .isNotEqualTo(Weights.rowMajor(matrix, before));
  }

  @Test
  void goesOnFromACheckpoint() {
    var straight = new Adam(weights, AdamConfig.of(0.01));
    straight.step(random(1, weights.size()));
    var copy = new Weights();
    copy.matrix("matrix", 3, 7);
    copy.vector("unused", 5);
    copy.copyFrom(weights);
    var resumed = new Adam(copy, AdamConfig.of(0.01));
    resumed.restore(straight.steps(), straight.first().clone(), straight.second().clone());

    straight.step(random(2, weights.size()));
    resumed.step(random(2, weights.size()));

    assertThat(copy.values()).isEqualTo(weights.values());
  }

  @Test
  void clipsToTheGlobalNorm() {
    float[] gradients = {3, 0, 0, 0, 4};

    assertThat(Gradients.clip(gradients, 10)).isEqualTo(5);
    assertThat(gradients).containsExactly(3, 0, 0, 0, 4);
    assertThat(Gradients.clip(gradients, 1)).isEqualTo(5);
    assertThat(Gradients.norm(gradients)).isCloseTo(1, within(1e-6));
  }

  @Test
  void namesTheFirstParameterThatIsNotFinite() {
    float[] gradients = new float[weights.size()];
    assertThat(weights.firstNonFinite(gradients)).isNull();

    gradients[unused.offset()] = Float.NaN;

    assertThat(weights.firstNonFinite(gradients)).isSameAs(unused).hasToString("unused [5]");
  }

  @Test
  void keepsTorchsOrderAtTheBoundary() {
    float[] rowMajor = random(1, 21);

    weights.load(matrix, rowMajor);

    assertThat(Weights.rowMajor(matrix, weights.values())).isEqualTo(rowMajor);
    assertThat(weights.values()[matrix.offset() + 2 * 3 + 1]).isEqualTo(rowMajor[7 + 2]);
    assertThatThrownBy(() -> weights.load(matrix, new float[20]))
        .hasMessage("matrix [3, 7] must get 21 numbers, was 20");
    assertThatThrownBy(() -> weights.vector("matrix", 1))
        .hasMessage("name must be new, was 'matrix'");
  }

  @Test
  void rejectsWhatIsNoHyperParameter() {
    assertThatThrownBy(() -> AdamConfig.of(Double.NaN))
        .hasMessage("learningRate must be positive and finite, was NaN");
    assertThatThrownBy(() -> new AdamConfig(1, 1, 0.9, 1e-8, 0))
        .hasMessage("beta1 must be in [0, 1) and finite, was 1.0");
  }
}
