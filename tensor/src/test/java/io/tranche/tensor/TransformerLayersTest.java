package io.tranche.tensor;

import static io.tranche.tensor.Numbers.assertDerivatives;
import static io.tranche.tensor.Numbers.bits;
import static io.tranche.tensor.Numbers.random;
import static io.tranche.tensor.Numbers.randomRows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.testkit.Allocation;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The layers of transformers: derivatives, causality, and the same bits however they are run.
class TransformerLayersTest {

  private final Weights weights = new Weights();

  /// Draws all weights, including scales and shifts.
  private void randomise(long seed) {
    float[] drawn = random(seed, weights.size());
    System.arraycopy(drawn, 0, weights.values(), 0, drawn.length);
    weights.changed();
  }

  @Test
  void aNormalisedRowHasMeanZeroAndVarianceOne() {
    var norm = new LayerNorm(weights, "norm", 8);
    norm.initialise();
    Rows x = randomRows(1, 1, 8);
    Rows y = Rows.zeros(1, 8);

    norm.forward(1, x, y);

    double mean = 0;
    double square = 0;
    for (float each : y.data()) {
      mean += each / 8;
      square += each * each / 8;
    }
    assertThat(mean).isBetween(-1e-6, 1e-6);
    assertThat(square).isBetween(0.999, 1.0);
  }

  @Test
  void normGradientsAreTheDerivatives() {
    var norm = new LayerNorm(weights, "norm", 7);
    randomise(1);
    Rows x = randomRows(2, 3, 7);
    Rows y = Rows.zeros(3, 7);
    Rows dx = Rows.zeros(3, 7);
    float[] projection = random(3, 21);
    float[] gradients = new float[weights.size()];

    norm.forward(3, x, y);
    norm.backward(3, x, Rows.of(projection, 7), dx, gradients);

    Runnable forward = () -> norm.forward(3, x, y);
    assertDerivatives(weights, forward, y.data(), projection, x.data(), dx.data(), gradients);
  }

  @Test
  void positionGradientsAreTheDerivatives() {
    var positions = new Positions(weights, "positions", 4, 3);
    positions.initialise(new SplittableRandom(1));
    Rows x = randomRows(2, 2 * 3, 3);
    Rows y = Rows.zeros(2 * 3, 3);
    float[] projection = random(3, 18);
    float[] gradients = new float[weights.size()];

    positions.backward(2, 3, Rows.of(projection, 3), gradients);

    Runnable forward =
        () -> {
          System.arraycopy(x.data(), 0, y.data(), 0, 18);
          positions.forward(2, 3, y);
        };
    assertDerivatives(weights, forward, y.data(), projection, x.data(), projection, gradients);
  }

  @Test
  void aSequenceThatIsTooLongIsRefused() {
    var positions = new Positions(weights, "positions", 4, 3);

    assertThatThrownBy(() -> positions.forward(1, 5, Rows.zeros(5, 3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a sequence must have at most 4 steps, was 5");
  }

  @Test
  void headsThatDoNotShareTheWidthEvenlyAreRefused() {
    assertThatThrownBy(() -> Attention.scaled(weights, "", 6, 8, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("heads must divide the width 8, was 3");
  }

  @Test
  void gradientsOfSeveralHeadsOverRaggedLanesAreTheDerivatives() {
    var attention = Attention.scaled(weights, "", 3, 6, 2);
    randomise(5);
    Rows q = randomRows(1, 4, 3);
    Rows k = randomRows(2, 2 * 5, 3);
    Rows v = randomRows(3, 2 * 5, 3);
    int[] ends = {1, 4};
    int[] visible = {3, 5, 1, 2};
    float[] projection = random(4, 4 * 6);
    var pass = attention.newRaggedPass(3, 7, 6);
    float[] gradients = new float[weights.size()];
    Rows dq = Rows.zeros(4, 3);
    Rows dk = Rows.zeros(10, 3);
    Rows dv = Rows.zeros(10, 3);

    pass.forward(2, ends, 5, q, k, v, visible);
    pass.backward(q, k, v, Rows.of(projection, 6), dq, dk, dv, gradients);

    Runnable forward = () -> pass.forward(2, ends, 5, q, k, v, visible);
    float[] y = pass.output().data();
    assertDerivatives(weights, forward, y, projection, q.data(), dq.data(), gradients);
    assertDerivatives(weights, forward, y, projection, k.data(), dk.data(), gradients);
    assertDerivatives(weights, forward, y, projection, v.data(), dv.data(), gradients);
  }

  @Test
  void blockGradientsAreTheDerivatives() {
    var block = new TransformerBlock(weights, "block.", 4, 2, 6);
    randomise(6);
    // Each unit of the ReLU stays on its side, whatever the input.
    Parameter corner = weights.parameters().getLast();
    for (Parameter each : weights.parameters()) {
      corner = each.name().equals("block.forward.0.bias") ? each : corner;
    }
    weights.load(corner, new float[] {9, -9, 9, 9, -9, 9});
    Rows x = randomRows(1, 2 * 4, 4);
    Rows dx = Rows.zeros(2 * 4, 4);
    float[] projection = random(2, 2 * 4 * 4);
    var pass = block.newPass(5, 2);
    float[] gradients = new float[weights.size()];

    pass.forward(4, 2, x);
    pass.backward(x, Rows.of(projection.clone(), 4), dx, gradients);

    Runnable forward = () -> pass.forward(4, 2, x);
    float[] y = pass.output().data();
    assertDerivatives(weights, forward, y, projection, x.data(), dx.data(), gradients);
  }

  @ParameterizedTest
  @CsvSource({"8,1", "12,3", "40,2", "64,4"})
  void blocksGiveTheSameBitsTogetherAloneAndStreamed(int width, int heads) {
    var block = new TransformerBlock(weights, "", width, heads, 2 * width + 3);
    block.initialise(new SplittableRandom(width));
    int steps = 19;
    int lanes = 3;
    Rows x = randomRows(1, steps * lanes, width);
    var together = block.newPass(steps, lanes);
    var alone = block.newPass(steps + 2, 1);
    var stream = block.newStream(steps);
    together.forward(steps, lanes, x);

    for (int lane = 0; lane < lanes; lane++) {
      alone.forward(steps, 1, x.fromRow(lane * steps));
      stream.reset();
      for (int step = 0; step < steps; step++) {
        int row = lane * steps + step;
        int[] expected = bits(together.output().data(), row * width, width);
        assertThat(bits(alone.output().data(), step * width, width)).isEqualTo(expected);
        assertThat(bits(stream.step(x.fromRow(row)).data())).isEqualTo(expected);
      }
    }
  }

  @Test
  void whatComesLaterChangesNothingBefore() {
    var block = new TransformerBlock(weights, "", 8, 2, 16);
    block.initialise(new SplittableRandom(1));
    Rows x = randomRows(1, 9, 8);
    var pass = block.newPass(9, 1);
    pass.forward(9, 1, x);
    int[] before = bits(pass.output().data(), 0, 5 * 8);

    Arrays.fill(x.data(), 5 * 8, 9 * 8, 77);
    pass.forward(9, 1, x);

    assertThat(bits(pass.output().data(), 0, 5 * 8)).isEqualTo(before);
  }

  @Test
  void warmBlocksAllocateNothing() {
    var positions = new Positions(weights, "positions", 9, 16);
    var block = new TransformerBlock(weights, "block.", 16, 2, 32);
    positions.initialise(new SplittableRandom(1));
    block.initialise(new SplittableRandom(2));
    Rows x = randomRows(1, 2 * 9, 16);
    Rows dy = randomRows(2, 2 * 9, 16);
    Rows dx = Rows.zeros(2 * 9, 16);
    var pass = block.newPass(9, 2);
    var stream = block.newStream(1);
    float[] gradients = new float[weights.size()];
    Runnable update =
        () -> {
          positions.forward(2, 9, x);
          pass.forward(9, 2, x);
          pass.backward(x, dy, dx, gradients);
          positions.backward(2, 9, dx, gradients);
          stream.reset();
          stream.step(x);
        };

    assertThat(Allocation.settledBytesOf(update)).isZero();
  }
}
