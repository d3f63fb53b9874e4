package io.tranche.market.feature.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.DataException;
import io.tranche.market.feature.pipeline.GroupStatistics.Deviation;
import io.tranche.market.feature.pipeline.GroupStatistics.FloatStream;
import io.tranche.market.feature.pipeline.GroupStatistics.NumpySum;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GroupStatisticsTest {

  // Made by NumPy 1.26.4: np.sum of float32 values (i * 7919 % 10007) / 10007.
  @ParameterizedTest
  @CsvSource({
    "0, 0.0",
    "1, 0.0",
    "7, 3.61826753616333",
    "8, 4.157689571380615",
    "9, 4.488458156585693",
    "127, 63.559810638427734",
    "128, 64.06076049804688",
    "129, 64.35305786132812",
    "136, 67.55680847167969",
    "1000, 500.3558654785156",
    "1031, 515.0595703125",
    "20000, 9999.091796875"
  })
  void addsInTheOrderOfNumpy(int count, float expected) {
    assertThat(NumpySum.of(stream(values(count)), count).total()).isEqualTo(expected);
  }

  @Test
  void theDeviationIsThatOfAbsoluteDistancesOnlyUnderTheQlibName() {
    float[] values = {-3, -1, 1, 3, Float.NaN};

    var sound = fit("price", Deviation.STANDARD, values);
    var qlib = fit("price", Deviation.OF_ABSOLUTE_DISTANCES, values);

    assertThat(sound.mean()).isZero();
    assertThat(sound.deviation()).isEqualTo((float) Math.sqrt(5));
    assertThat(qlib.deviation()).isEqualTo(1);
    assertThat(qlib.max()).isEqualTo(3);
    assertThat(qlib.min()).isEqualTo(-3);
  }

  @Test
  void logarithmsAreThoseOfLog1pToTheLastBit() {
    var random = new SplittableRandom(1);
    float[] values = new float[1_000_000];
    for (int i = 0; i < values.length; i++) {
      boolean isUsual = i % 2 == 0;
      values[i] =
          isUsual
              ? (float) Math.exp(6 * random.nextDouble() - 4)
              : Float.intBitsToFloat(random.nextInt());
    }
    float[] special = {0, -0f, -1, -2, Float.NaN, Float.MIN_VALUE, Float.MAX_VALUE, 1e-20f, -1e-7f};
    System.arraycopy(special, 0, values, 0, special.length);
    values[special.length] = Float.POSITIVE_INFINITY;
    float[] expected = new float[values.length];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = (float) Math.log1p(values[i]);
    }

    GroupStatistics.transform("volume", values);

    assertThat(Arrays.equals(values, expected)).isTrue(); // bit by bit
  }

  @Test
  void volumesAreNormalisedAfterTheirLogarithm() {
    float[] values = {0, (float) (Math.E - 1), Float.NaN};
    GroupStatistics.transform("my_volume", values);

    var statistics = fit("my_volume", Deviation.STANDARD, values);
    statistics.apply(values);

    assertThat(statistics.mean()).isEqualTo(0.5f);
    assertThat(values).containsExactly(new float[] {-1, 1, 0}, within(1e-6f));
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, 7})
  void refusesWhatCannotBeNormalised(float value) {
    assertThatThrownBy(() -> fit("price", Deviation.STANDARD, new float[] {value, value}))
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith("group price: expected ");
  }

  private static GroupStatistics fit(String name, Deviation kind, float[] values) {
    return GroupStatistics.fit(name, kind, values.length, () -> stream(values));
  }

  private static float[] values(int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) ((long) i * 7919 % 10007) / 10007;
    }
    return values;
  }

  private static FloatStream stream(float[] values) {
    int[] next = {0};
    return (block, length) -> {
      System.arraycopy(values, next[0], block, 0, length);
      next[0] += length;
    };
  }
}
