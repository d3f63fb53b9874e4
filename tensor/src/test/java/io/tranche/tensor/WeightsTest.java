package io.tranche.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Allocation;
import org.junit.jupiter.api.Test;

class WeightsTest {

  @Test
  void manyParametersTakeTheirMemoryOnce() {
    int parameters = 100;
    int size = 10_000;
    var weights = new Weights();

    long bytes =
        Allocation.bytesOf(
            () -> {
              for (int i = 0; i < parameters; i++) {
                weights.vector("v" + i, size);
              }
              weights.values();
            });

    // Growing with each parameter would take fifty times as much.
    assertThat(bytes).isLessThan(2L * parameters * size * Float.BYTES);
    assertThat(weights.values()).hasSize(parameters * size);
  }

  @Test
  void aLaterParameterKeepsTheEarlierOnes() {
    var weights = new Weights();
    weights.load(weights.vector("first", 2), new float[] {1, 2});

    weights.vector("second", 1);

    assertThat(weights.values()).containsExactly(1, 2, 0);
  }
}
