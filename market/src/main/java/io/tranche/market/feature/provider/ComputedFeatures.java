package io.tranche.market.feature.provider;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.cache.RecentCache;
import io.tranche.market.feature.Adjustment;
import io.tranche.market.feature.DayCache;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.MarketIndex;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/// Features that providers compute from bars when a day is first needed.
///
/// Yesterday is the last trading day before with bars, matched tick by tick; its columns have the
/// suffix `_1`. Where bars have a factor, providers see adjusted ones. A half day has the rows of a
/// whole one, the last ones missing: in the morning nobody knows better.
public final class ComputedFeatures {

  private static final int SERIES_KEPT = 16;

  private final List<FeatureProvider> providers;
  private final float missing;
  private final FeatureColumns columns;
  private final RecentCache<String, BarSeries> series;

  private ComputedFeatures(
      BarSource bars, List<FeatureProvider> providers, float missing, boolean isNeutral) {
    this.providers = List.copyOf(providers);
    this.missing = missing;
    this.columns = columns(providers);
    this.series =
        RecentCache.byMemory(
            SERIES_KEPT,
            BarSeries::bytes,
            code -> Adjustment.adjusted(bars.series(code), isNeutral));
  }

  /// @param bars owned by the caller, who closes it
  /// @param missing replaces missing values, because networks accept no NaN
  /// @param cachedDays how many days are kept in memory
  /// @throws DataException if the bars lack a field that a provider needs
  public static FeatureSource of(
      BarSource bars, List<FeatureProvider> providers, float missing, int cachedDays) {
    return of(bars, providers, missing, cachedDays, false);
  }

  /// @param isNeutral whether providers see prices without the market's moves ([MarketIndex])
  /// @throws DataException as above, or if there are too few instruments for that
  public static FeatureSource of(
      BarSource bars,
      List<FeatureProvider> providers,
      float missing,
      int cachedDays,
      boolean isNeutral) {
    for (FeatureProvider provider : providers) {
      if (!bars.fields().containsAll(provider.fields())) {
        throw new DataException(
            "feature " + provider.name(),
            "bars with the fields " + provider.fields(),
            bars.fields());
      }
    }
    BarSource seen = isNeutral ? MarketIndex.added(bars) : bars;
    var computed = new ComputedFeatures(seen, providers, missing, isNeutral);
    return new DayCache(
        computed.columns,
        cachedDays,
        computed::compute,
        () ->
            new ProvidedFeatures(
                computed.providers, missing, bars.fields().contains(Adjustment.FACTOR), isNeutral));
  }

  static FeatureColumns columns(List<FeatureProvider> providers) {
    List<String> today = providers.stream().flatMap(p -> p.columns().stream()).toList();
    return new FeatureColumns(today, today.stream().map(name -> name + "_1").toList());
  }

  private DayFeatures compute(String instrument, LocalDate date) {
    BarSeries all = series.get(instrument);
    Calendar calendar = all.calendar();
    int day = calendar.dayOf(date);
    long[] times = all.day(day) == null ? new long[0] : wholeDay(calendar, day);
    int ticks = times.length;
    return DayFeatures.wrap(
        instrument,
        date,
        columns,
        times,
        matrix(providers, missing, all, day, ticks),
        matrix(providers, missing, all, tradedBefore(all, day), ticks));
  }

  /// Returns the times of a day, and after them those of the longest day's later ticks.
  private static long[] wholeDay(Calendar calendar, int day) {
    int longest = calendar.longestDay();
    int ticks = calendar.dayEnd(day) - calendar.dayStart(day);
    long[] times = calendar.times(calendar.dayStart(longest), calendar.dayEnd(longest));
    long shift = BarTime.of(calendar.date(day)) - BarTime.of(calendar.date(longest));
    for (int tick = 0; tick < times.length; tick++) {
      times[tick] =
          tick < ticks ? calendar.time(calendar.dayStart(day) + tick) : times[tick] + shift;
    }
    return times;
  }

  /// Returns `ticks` rows of the features of `day`; rows that it does not have are missing.
  static float[] matrix(
      List<FeatureProvider> providers, float missing, BarSeries all, int day, int ticks) {
    int width = providers.stream().mapToInt(provider -> provider.columns().size()).sum();
    float[] matrix = new float[ticks * width];
    Arrays.fill(matrix, missing);
    DayFrame frame = all.day(day);
    if (frame == null) {
      return matrix;
    }
    int offset = 0;
    for (FeatureProvider provider : providers) {
      int columnCount = provider.columns().size();
      float[] values = new float[frame.ticks() * columnCount];
      provider.compute(frame, traded(all, day, provider.earlierDays()), values);
      for (int tick = 0; tick < Math.min(ticks, frame.ticks()); tick++) {
        for (int column = 0; column < columnCount; column++) {
          float value = values[tick * columnCount + column];
          matrix[tick * width + offset + column] = Float.isNaN(value) ? missing : value;
        }
      }
      offset += columnCount;
    }
    return matrix;
  }

  /// Returns the last day before `day` with bars; -1 if there is none.
  private static int tradedBefore(BarSeries series, int day) {
    List<DayFrame> before = traded(series, day, 1);
    return before.isEmpty() ? -1 : series.calendar().dayOf(before.getFirst().date());
  }

  /// Returns up to `count` days with bars before `day`, oldest first.
  static List<DayFrame> traded(BarSeries series, int day, int count) {
    return earlier(series, day, count).stream().filter(DayFrame::hasBars).toList();
  }

  /// Returns the days before `day` from which a recipe takes its own, oldest first: up to `count`
  /// with bars, and those without between them.
  public static List<DayFrame> earlier(BarSeries series, int day, int count) {
    var earlier = new ArrayDeque<DayFrame>();
    int traded = 0;
    for (int past = Math.min(day, series.endDay()) - 1;
        past >= series.firstDay() && traded < count;
        past--) {
      DayFrame frame = series.day(past);
      if (frame != null) {
        earlier.addFirst(frame);
        traded += frame.hasBars() ? 1 : 0;
      }
    }
    return List.copyOf(earlier);
  }
}
