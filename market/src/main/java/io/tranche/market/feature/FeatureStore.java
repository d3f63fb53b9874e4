package io.tranche.market.feature;

import io.tranche.market.BarSeries;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Session;
import io.tranche.market.store.QlibStore;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The features of many instruments on disk, as [FeaturePipeline] writes them.
///
/// `feature` and `backtest` are Qlib `.bin` stores, so that Qlib reads them too and a day is one
/// read of a mapped file; `features.yml` says what made them, `statistics.yml` what normalised
/// them. Safe to use from several threads.
public final class FeatureStore {

  private static final int SERIES_KEPT = 16;

  private final FeatureManifest manifest;
  private final QlibStore features;
  private final QlibStore backtest;

  private FeatureStore(FeatureManifest manifest, QlibStore features, QlibStore backtest) {
    this.manifest = manifest;
    this.features = features;
    this.backtest = backtest;
  }

  /// @throws DataException if `folder` is no feature store or is damaged
  public static FeatureStore open(Path folder) {
    return open(folder, null);
  }

  /// Opens a store whose trading days are those of `session`, calendar dates when null.
  public static FeatureStore open(Path folder, @Nullable Session session) {
    FeatureManifest manifest = FeatureManifest.read(folder);
    return new FeatureStore(
        manifest,
        QlibStore.open(folder.resolve("feature"), manifest.frequency(), session),
        QlibStore.open(folder.resolve("backtest"), manifest.frequency(), session));
  }

  public FeatureConfig config() {
    return manifest.config();
  }

  /// Returns the expressions of the feature columns by name, in column order.
  public Map<String, String> featureExpressions() {
    return manifest.features();
  }

  /// Returns the expressions of the backtest columns by name, in column order.
  public Map<String, String> backtestExpressions() {
    return manifest.backtest();
  }

  /// Returns what normalised each group of columns, in column order.
  public List<GroupStatistics> statistics() {
    return manifest.statistics();
  }

  public Calendar calendar() {
    return features.calendar();
  }

  public List<String> instruments() {
    return features.instruments();
  }

  /// Returns the instruments that were left out because they do not trade in all of the window.
  public List<String> dropped() {
    return manifest.dropped();
  }

  /// Returns a source of some of the feature columns.
  ///
  /// @param cachedDays how many days are kept in memory
  /// @throws DataException if the store has no such column
  public FeatureSource features(FeatureColumns columns, int cachedDays) {
    return new Source(features, columns, manifest.features(), cachedDays);
  }

  /// Returns a source of some of the backtest columns.
  ///
  /// @throws DataException if the store has no such column
  public FeatureSource backtest(FeatureColumns columns, int cachedDays) {
    return new Source(backtest, columns, manifest.backtest(), cachedDays);
  }

  private static final class Source implements FeatureSource {

    private final QlibStore store;
    private final FeatureColumns columns;
    private final RecentFiles<BarSeries> series;
    private final DayCache days;

    Source(QlibStore store, FeatureColumns columns, Map<String, String> known, int cachedDays) {
      this.store = store;
      this.columns = columns;
      this.series = new RecentFiles<>(SERIES_KEPT, store::series);
      this.days = new DayCache(cachedDays, this::read);
      for (List<String> names : List.of(columns.today(), columns.yesterday())) {
        for (String name : names) {
          if (!known.containsKey(name)) {
            throw new DataException(store.root().toString(), "a column of " + known.keySet(), name);
          }
        }
      }
    }

    @Override
    public FeatureColumns columns() {
      return columns;
    }

    @Override
    public DayFeatures day(String instrument, LocalDate date) {
      return days.day(instrument, date);
    }

    private DayFeatures read(String instrument, LocalDate date) {
      DayFrame frame = series.content(instrument).day(date);
      Calendar calendar = store.calendar();
      int day = calendar.dayOf(date);
      long[] times =
          frame == null
              ? new long[0]
              : calendar.times(calendar.dayStart(day), calendar.dayEnd(day));
      return DayFeatures.wrap(
          instrument,
          date,
          columns,
          times,
          matrix(frame, columns.today()),
          matrix(frame, columns.yesterday()));
    }

    private static float[] matrix(@Nullable DayFrame frame, List<String> names) {
      if (frame == null) {
        return new float[0];
      }
      int width = names.size();
      float[] matrix = new float[frame.ticks() * width];
      for (int column = 0; column < width; column++) {
        int field = frame.fieldIndex(names.get(column).substring(1).toLowerCase(Locale.ROOT));
        for (int tick = 0; tick < frame.ticks(); tick++) {
          matrix[tick * width + column] = frame.value(field, tick);
        }
      }
      return matrix;
    }
  }
}
