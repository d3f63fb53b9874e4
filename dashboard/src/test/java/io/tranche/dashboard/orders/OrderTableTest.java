package io.tranche.dashboard.orders;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrderTableTest {

  /// Also numbers that floats cannot tell apart, infinities and none.
  @Test
  void sortsAsAComparisonOfAllNumbersDoes() {
    var random = new SplittableRandom(7);
    double[] keys =
        IntStream.range(0, 5_000)
            .mapToDouble(
                i ->
                    switch (i % 50) {
                      case 0 -> Double.NaN;
                      case 1 -> 1 + i * 1e-12;
                      case 2 -> -0.0;
                      case 3 -> Double.NEGATIVE_INFINITY;
                      case 4 -> 0;
                      case 5 -> -1 - i * 1e-12;
                      default -> random.nextDouble() - 0.5;
                    })
            .toArray();

    int[] sorted = OrderTable.sorted(keys);

    Comparator<Integer> expected =
        Comparator.comparingDouble(
            i -> Double.isNaN(keys[i]) ? Double.NEGATIVE_INFINITY : keys[i] + 0.0);
    assertThat(IntStream.range(1, sorted.length))
        .allMatch(i -> expected.compare(sorted[i - 1], sorted[i]) <= 0);
    assertThat(IntStream.of(sorted).distinct().count()).isEqualTo(keys.length);
  }
}
