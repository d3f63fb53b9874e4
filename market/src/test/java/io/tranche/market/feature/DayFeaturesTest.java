package io.tranche.market.feature;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class DayFeaturesTest {

  private static final FeatureColumns TWO =
      new FeatureColumns(List.of("$open", "$close"), List.of("$open_1", "$close_1"));

  @Test
  void knowsUpToWhichTickItsFeaturesAreFinite() {
    float[] today = {1, 2, 3, Float.NaN, Float.NaN, 6};
    float[] yesterday = {1, 2, 3, 4, Float.NEGATIVE_INFINITY, 6};

    DayFeatures day =
        DayFeatures.wrap("A", LocalDate.EPOCH, TWO, new long[] {0, 60, 120}, today, yesterday);

    assertThat(day.finiteToday()).isOne();
    assertThat(day.finiteYesterday()).isEqualTo(2);
  }

  @Test
  void aDayWithoutColumnsIsFiniteToItsEnd() {
    DayFeatures day =
        DayFeatures.wrap(
            "A", LocalDate.EPOCH, FeatureColumns.NONE, new long[3], new float[0], new float[0]);

    assertThat(day.finiteToday()).isEqualTo(3);
  }
}
