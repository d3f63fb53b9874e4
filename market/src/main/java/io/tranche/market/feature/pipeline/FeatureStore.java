package io.tranche.market.feature.pipeline;

import static java.util.Objects.requireNonNull;

import io.tranche.market.BarSeries;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Session;
import io.tranche.market.cache.RecentCache;
import io.tranche.market.expression.Expression;
import io.tranche.market.feature.DayCache;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.pipeline.PipelineFeatures.Normalised;
import io.tranche.market.store.QlibStore;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The features of many instruments on disk, as [FeaturePipeline] writes them.
///
/// `feature` and `backtest` are Qlib `.bin` stores, so that Qlib reads them too and no other format
/// needs checks and conversions. `features.yml` holds their configuration, `statistics.yml` the
/// statistics that normalised them. Safe to use from several threads.
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

  /// Returns a fingerprint of the bars it was made from.
  public String fingerprint() {
    return manifest.fingerprint();
  }

  /// Returns the expressions of the feature columns by name, in column order.
  public Map<String, String> featureExpressions() {
    return manifest.features();
  }

  /// Returns the expressions of the backtest columns by name, in column order.
  public Map<String, String> backtestExpressions() {
    return manifest.backtest();
  }

  /// Returns the statistics of each group of columns, in column order.
  public List<GroupStatistics> statistics() {
    return manifest.statistics();
  }

  public Calendar calendar() {
    return features.calendar();
  }

  public List<String> instruments() {
    return features.instruments();
  }

  /// Returns the instruments that were left out because they do not trade throughout the window.
  public List<String> dropped() {
    return manifest.dropped();
  }

  /// Returns a source of some of the feature columns.
  ///
  /// @param cachedDays how many days are kept in memory
  /// @throws DataException if the store has no such column
  public FeatureSource features(FeatureColumns columns, int cachedDays) {
    var reader = new Reader(features, true, columns, manifest.features());
    return new DayCache(columns, cachedDays, reader::read, () -> recipe(columns));
  }

  /// Returns a source of some of the backtest columns.
  ///
  /// @throws DataException if the store has no such column
  public FeatureSource backtest(FeatureColumns columns, int cachedDays) {
    var reader = new Reader(backtest, false, columns, manifest.backtest());
    return new DayCache(columns, cachedDays, reader::read);
  }

  /// Returns how some of the feature columns are computed from bars.
  ///
  /// @throws DataException if the store has no such column
  public FeatureRecipe recipe(FeatureColumns columns) {
    requireColumns(features.root().toString(), columns, manifest.features());
    var statistics = new HashMap<String, GroupStatistics>();
    var names = manifest.features().keySet().iterator();
    int group = 0;
    for (int width : config().groups().values()) {
      for (int i = 0; i < width; i++) {
        statistics.put(names.next(), manifest.statistics().get(group));
      }
      group++;
    }
    return new PipelineFeatures(
        config().dayLength(),
        normalised(columns.today(), statistics),
        normalised(columns.yesterday(), statistics));
  }

  private List<Normalised> normalised(List<String> names, Map<String, GroupStatistics> statistics) {
    return names.stream()
        .map(
            name ->
                new Normalised(
                    name,
                    Expression.parse(requireNonNull(manifest.features().get(name))),
                    requireNonNull(statistics.get(name))))
        .toList();
  }

  private static void requireColumns(
      String where, FeatureColumns columns, Map<String, String> known) {
    for (List<String> names : List.of(columns.today(), columns.yesterday())) {
      for (String name : names) {
        if (!known.containsKey(name)) {
          throw new DataException(where, "a column of " + known.keySet(), name);
        }
      }
    }
  }

  private static final class Reader {

    private final QlibStore store;
    private final boolean
        complete; // normalised features have no missing values; prices are missing during a halt
    private final FeatureColumns columns;
    private final RecentCache<String, BarSeries> series;

    Reader(QlibStore store, boolean complete, FeatureColumns columns, Map<String, String> known) {
      this.store = store;
      this.complete = complete;
      this.columns = columns;
      this.series = new RecentCache<>(SERIES_KEPT, store::series);
      requireColumns(store.root().toString(), columns, known);
    }

    DayFeatures read(String instrument, LocalDate date) {
      DayFrame frame = series.get(instrument).day(date);
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

    private float[] matrix(@Nullable DayFrame frame, List<String> names) {
      if (frame == null) {
        return new float[0];
      }
      int width = names.size();
      float[] matrix = new float[frame.ticks() * width];
      for (int column = 0; column < width; column++) {
        int field = frame.fieldIndex(names.get(column).substring(1));
        boolean present = field >= 0 && !complete;
        for (int tick = 0; field >= 0 && tick < frame.ticks(); tick++) {
          float value = frame.value(field, tick);
          matrix[tick * width + column] = value;
          present |= !Float.isNaN(value);
        }
        if (!present) {
          throw new DataException(
              "%s, %s on %s".formatted(store.root(), frame.instrument(), frame.date()),
              "values of " + names.get(column),
              "none");
        }
      }
      return matrix;
    }
  }
}
