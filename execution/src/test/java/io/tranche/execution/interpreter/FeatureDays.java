package io.tranche.execution.interpreter;

import io.tranche.execution.Episodes;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;

/// A source that has one day, of two features.
record FeatureDays(DayFeatures only) implements FeatureSource {

  static final int WIDTH = 2;

  private static final FeatureColumns COLUMNS =
      new FeatureColumns(List.of("$close", "$volume"), List.of("$close_1", "$volume_1"));

  /// One tick a minute from the open on.
  static FeatureDays of(float[] today, float[] yesterday) {
    long[] times = new long[today.length / WIDTH];
    Arrays.setAll(times, tick -> Episodes.OPEN + 60L * tick);
    return new FeatureDays(
        DayFeatures.wrap("SH600000", Episodes.DAY, COLUMNS, times, today, yesterday));
  }

  /// Features 1, 2, 3, … today and the same below zero yesterday.
  static FeatureDays counting(int ticks) {
    float[] today = new float[ticks * WIDTH];
    float[] yesterday = new float[ticks * WIDTH];
    for (int i = 0; i < today.length; i++) {
      today[i] = i + 1;
      yesterday[i] = -i - 1;
    }
    return of(today, yesterday);
  }

  @Override
  public FeatureColumns columns() {
    return COLUMNS;
  }

  @Override
  public DayFeatures day(String instrument, LocalDate date) {
    return only;
  }
}
