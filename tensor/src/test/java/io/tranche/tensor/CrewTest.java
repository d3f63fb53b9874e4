package io.tranche.tensor;

import static io.tranche.tensor.Numbers.bits;
import static io.tranche.tensor.Numbers.randomRows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.testkit.Allocation;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrewTest {

  private static final int SLICES = 5;
  private static final int STEPS = 6;
  private static final int LANES = 3;

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void anyNumberOfThreadsTrainsToTheSameBits(int threads) {
    assertThat(bits(trained(threads))).isEqualTo(bits(trained(1)));
  }

  /// Returns the weights of a small network after some updates on sliced minibatches.
  private static float[] trained(int threads) {
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
    try (var crew = new Crew(threads)) {
      for (int update = 0; update < 20; update++) {
        crew.run(
            SLICES,
            (slice, _) -> {
              var pass = passes[slice];
              pass.forward(STEPS, LANES, inputs[slice]);
              int length = STEPS * LANES * 24;
              System.arraycopy(pass.output().data(), 0, pass.outputGradient().data(), 0, length);
              pass.backward(inputs[slice], null, gradients.cleared(slice));
            });
        float[] sum = gradients.sum(SLICES, crew);
        Gradients.clip(sum, 1);
        adam.step(sum);
      }
    }
    return weights.values();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void doesEverySliceOnce(int threads) {
    try (var crew = new Crew(threads)) {
      for (int round = 0; round < 300; round++) {
        var done = new AtomicIntegerArray(round);

        crew.run(round, (slice, _) -> done.incrementAndGet(slice));

        for (int slice = 0; slice < round; slice++) {
          assertThat(done.get(slice)).isEqualTo(1);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void throwsWhatTheLowestSliceThrewAndGoesOn(int threads) {
    try (var crew = new Crew(threads)) {
      assertThatThrownBy(
              () ->
                  crew.run(
                      20,
                      (slice, _) -> {
                        if (slice >= 5) {
                          throw new ArithmeticException("slice " + slice);
                        }
                      }))
          .isInstanceOf(ArithmeticException.class)
          .hasMessage("slice 5");
      var done = new AtomicIntegerArray(4);
      crew.run(4, (slice, _) -> done.incrementAndGet(slice));
      assertThat(done).hasToString("[1, 1, 1, 1]");
    }
  }

  @Test
  void aRoundAllocatesNothing() {
    try (var crew = new Crew(2)) {
      var done = new AtomicIntegerArray(8);
      Crew.Work work = (slice, _) -> done.incrementAndGet(slice);
      Runnable rounds =
          () -> {
            for (int i = 0; i < 100; i++) {
              crew.run(8, work);
            }
          };

      // The first wait that ends in parking loads classes.
      assertThat(Allocation.settledBytesOf(1, rounds)).isZero();
    }
  }
}
