package io.tranche.market.feature.provider;

import io.tranche.market.BarSeries;
import io.tranche.market.DayFrame;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Checks on data that a provider does not look ahead: it changes all bars after a tick, and every
/// feature up to that tick must stay the same to the last bit.
public final class CausalityCheck {

  /// A feature that changed although nothing up to its tick did.
  ///
  /// @param changedAfter the last tick whose bar was left alone
  public record Leak(
      String provider, String column, int tick, int changedAfter, float before, float after) {

    @Override
    public String toString() {
      return "%s: %s at tick %d changed from %s to %s when only bars after tick %d changed"
          .formatted(provider, column, tick, before, after, changedAfter);
    }
  }

  private enum Change {
    REMOVED,
    SCALED
  }

  private CausalityCheck() {}

  /// Checks every tick of one day and returns the first leak, or null.
  ///
  /// @param day the calendar's number of the day
  /// @throws IllegalArgumentException if `series` has no such day
  /// @throws IllegalStateException if the provider does not write each value or is not
  ///   deterministic
  public static @Nullable Leak find(FeatureProvider provider, BarSeries series, int day) {
    if (series.day(day) == null) {
      throw new IllegalArgumentException("day must be one of the series, was " + day);
    }
    int firstDay = Math.max(series.firstDay(), day - provider.earlierDays());
    float[] expected = compute(provider, series, firstDay, day, 0);
    requireSame(provider, expected, compute(provider, series, firstDay, day, -1));
    int width = provider.columns().size();
    for (int tick = 0; tick < expected.length / width; tick++) {
      for (Change change : Change.values()) {
        BarSeries changed = changedAfter(series, firstDay, day, tick, change);
        float[] actual = compute(provider, changed, firstDay, day, 0);
        for (int i = 0; i < (tick + 1) * width; i++) {
          if (differs(expected[i], actual[i])) {
            String column = provider.columns().get(i % width);
            return new Leak(provider.name(), column, i / width, tick, expected[i], actual[i]);
          }
        }
      }
    }
    return null;
  }

  private static float[] compute(
      FeatureProvider provider, BarSeries series, int firstDay, int day, float unwritten) {
    DayFrame frame = series.day(day);
    if (frame == null) {
      throw new IllegalStateException("series must hold day " + day);
    }
    float[] features = new float[frame.ticks() * provider.columns().size()];
    Arrays.fill(features, unwritten);
    LocalDate first = series.calendar().date(firstDay);
    List<DayFrame> earlier =
        ComputedFeatures.traded(series, day, day - firstDay).stream()
            .filter(past -> !past.date().isBefore(first))
            .toList();
    provider.compute(frame, earlier, features);
    return features;
  }

  private static BarSeries changedAfter(
      BarSeries series, int firstDay, int day, int tick, Change change) {
    int from = series.calendar().dayStart(firstDay) - series.firstBar();
    int to = series.calendar().dayEnd(day) - series.firstBar();
    int firstChanged = series.calendar().dayStart(day) - series.firstBar() - from + tick + 1;
    var random = new SplittableRandom(tick);
    float[][] columns = new float[series.fields().size()][to - from];
    for (int field = 0; field < columns.length; field++) {
      float[] column = columns[field];
      series.copy(field, from, column, 0, column.length);
      for (int row = firstChanged; row < column.length; row++) {
        // A missing value may also appear later, so missing values are changed too.
        float value = Float.isNaN(column[row]) ? 1 : column[row];
        column[row] =
            change == Change.REMOVED ? Float.NaN : value * (float) random.nextDouble(0.5, 2);
      }
    }
    return BarSeries.wrap(
        series.instrument(), series.calendar(), firstDay, series.fields(), columns);
  }

  private static void requireSame(FeatureProvider provider, float[] first, float[] second) {
    for (int i = 0; i < first.length; i++) {
      if (differs(first[i], second[i])) {
        throw new IllegalStateException(
            "%s must write every value and be deterministic, was %s and %s at tick %d"
                .formatted(provider.name(), first[i], second[i], i / provider.columns().size()));
      }
    }
  }

  private static boolean differs(float a, float b) {
    return Float.floatToIntBits(a) != Float.floatToIntBits(b);
  }
}
