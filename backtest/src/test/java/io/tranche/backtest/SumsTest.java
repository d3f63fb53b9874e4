package io.tranche.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.Sums.Gaps;
import io.tranche.testkit.Allocation;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SumsTest {

  // Lengths on both sides of every boundary: lanes of 8, blocks of 128, halves.
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 15, 16, 30, 127, 128, 129, 240, 390, 1000})
  void addsInLanesAndHalves(int length) {
    double[] values = new SplittableRandom(length).doubles(length, -1, 1).toArray();

    assertThat(Sums.sum(values, 0, length, Gaps.SPREAD)).isEqualTo(readable(values));
    assertThat(Sums.singleSum(singles(values), 0, length, Gaps.SPREAD))
        .isEqualTo(readableSingle(singles(values)));
    assertThat(Sums.sum(values, 0, length, Gaps.SPREAD))
        .isCloseTo(
            Arrays.stream(values)
                .mapToObj(BigDecimal::new)
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .doubleValue(),
            within(1e-13));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 30, 129, 240})
  void addsProductsAsIfTheyHadBeenStored(int length) {
    var random = new SplittableRandom(length);
    double[] one = random.doubles(length, -1, 1).toArray();
    double[] other = random.doubles(length + 3, -1, 1).toArray();
    double[] products = new double[length];
    Arrays.setAll(products, i -> one[i] * other[i + 3]);

    assertThat(Sums.dot(one, 0, other, 3, length, Gaps.SPREAD)).isEqualTo(readable(products));
  }

  @Test
  void spreadsOrSkipsWhatIsNoNumber() {
    double[] values = {1, Double.NaN, 2, 4, 8, 16, 32, 64, 128, Double.NaN};

    assertThat(Sums.sum(values, 0, 10, Gaps.SPREAD)).isNaN();
    assertThat(Sums.sum(values, 0, 10, Gaps.SKIP)).isEqualTo(255);
    assertThat(Sums.singleSum(values, 0, 10, Gaps.SPREAD)).isNaN();
    assertThat(Sums.singleSum(values, 0, 10, Gaps.SKIP)).isEqualTo(255);
    assertThat(Sums.dot(values, 0, values, 2, 2, Gaps.SKIP)).isEqualTo(2);
    assertThat(Sums.numbers(values, 0, 10)).isEqualTo(8);
  }

  @Test
  void allocatesNothing() {
    double[] values = new SplittableRandom(1).doubles(240).toArray();
    Runnable adding =
        () -> {
          for (int i = 0; i < 20_000; i++) {
            values[0] = Sums.sum(values, 1, 200, Gaps.SKIP) % 1;
            values[1] = Sums.singleSum(values, 1, 200, Gaps.SKIP) % 1;
          }
        };

    // The measurement itself takes some.
    assertThat(Allocation.settledBytesOf(2_000, adding)).isLessThan(2_000);
  }

  private static double readable(double... values) {
    int count = values.length;
    if (count > 128) {
      int half = count / 2 / 8 * 8;
      return readable(Arrays.copyOfRange(values, 0, half))
          + readable(Arrays.copyOfRange(values, half, count));
    }
    double[] lanes = new double[8];
    int whole = count / 8 * 8;
    for (int i = 0; i < whole; i++) {
      lanes[i % 8] += values[i];
    }
    double sum =
        ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]))
            + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    for (int i = whole; i < count; i++) {
      sum += values[i];
    }
    return sum;
  }

  private static float readableSingle(double... values) {
    int count = values.length;
    if (count > 128) {
      int half = count / 2 / 8 * 8;
      return readableSingle(Arrays.copyOfRange(values, 0, half))
          + readableSingle(Arrays.copyOfRange(values, half, count));
    }
    float[] lanes = new float[8];
    int whole = count / 8 * 8;
    for (int i = 0; i < whole; i++) {
      lanes[i % 8] += (float) values[i];
    }
    float sum =
        ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]))
            + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    for (int i = whole; i < count; i++) {
      sum += (float) values[i];
    }
    return sum;
  }

  private static double[] singles(double... values) {
    return Arrays.stream(values).map(value -> (float) value).toArray();
  }
}
