package io.tranche.tensor;

import static io.tranche.tensor.Numbers.bits;
import static io.tranche.tensor.Numbers.randomRows;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlicedTrainingTest {

  private static final int SLICES = 5;
  private static final int STEPS = 6;
  private static final int LANES = 3;

  @Test
  void severalThreadsTrainToTheSameBitsAsOne() {
    assertThat(bits(trained(true))).isEqualTo(bits(trained(false)));
  }

  /// Returns the weights of a small network after some updates on sliced minibatches.
  private static float[] trained(boolean inParallel) {
    var weights = new Weights();
    var rnn = new Rnn(weights, "rnn", RnnType.GRU, 4, 24, 2);
    rnn.initialise(new SplittableRandom(1));
    var adam = new Adam(weights, AdamConfig.of(1e-2));
    var gradients = new Gradients(weights, SLICES);
    var passes = new Rnn.Pass[SLICES];
    var inputs = new Rows[SLICES];
    for (int i = 0; i < SLICES; i++) {
      passes[i] = rnn.newPass(STEPS, LANES);
      inputs[i] = randomRows(i, STEPS * LANES, 4);
    }
    for (int update = 0; update < 20; update++) {
      forEach(
          SLICES,
          inParallel,
          slice -> {
            var pass = passes[slice];
            pass.forward(STEPS, LANES, inputs[slice]);
            int length = STEPS * LANES * 24;
            System.arraycopy(pass.output().data(), 0, pass.outputGradient().data(), 0, length);
            pass.backward(inputs[slice], null, gradients.cleared(slice));
          });
      forEach(gradients.chunks(), inParallel, chunk -> gradients.addUp(chunk, SLICES));
      Gradients.clip(gradients.sum(), 1);
      adam.step(gradients.sum());
    }
    return weights.values();
  }

  private static void forEach(int count, boolean inParallel, IntConsumer work) {
    IntStream items = IntStream.range(0, count);
    (inParallel ? items.parallel() : items).forEach(work);
  }
}
