package io.tranche.market.feature.pipeline;

import static java.util.Objects.requireNonNull;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Table;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.expression.Expression;
import io.tranche.market.feature.DayCache;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.pipeline.PipelineFeatures.Normalised;
import io.tranche.market.session.SessionBars;
import io.tranche.market.store.QlibStore;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
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

  private final Path folder;
  private final FeatureManifest manifest;
  private final BarSource features;
  private final BarSource backtest;

  private FeatureStore(
      Path folder, FeatureManifest manifest, BarSource features, BarSource backtest) {
    this.folder = folder;
    this.manifest = manifest;
    this.features = features;
    this.backtest = backtest;
  }

  /// @throws DataException if `folder` is no feature store or is damaged
  public static FeatureStore open(Path folder) {
    FeatureManifest manifest = FeatureManifest.read(folder);
    return new FeatureStore(
        folder,
        manifest,
        opened(folder.resolve("feature"), manifest),
        opened(folder.resolve("backtest"), manifest));
  }

  private static BarSource opened(Path folder, FeatureManifest manifest) {
    QlibStore store = QlibStore.open(folder, manifest.frequency());
    return manifest.days().isEmpty()
        ? store
        : SessionBars.of(folder.toString(), store, SessionBars.Reading.PLAIN);
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

  /// Whether the backtest columns hold the last close, and a volume of 0, where there was no bar.
  public boolean hasFilledPrices() {
    return manifest.backtest().values().stream().anyMatch(text -> text.contains("FFillNan"));
  }

  /// Returns the statistics of each group of columns, in column order.
  public List<GroupStatistics> statistics() {
    return manifest.statistics();
  }

  public Calendar calendar() {
    return features.calendar();
  }

  /// Returns the feature columns as bars, each instrument's on the calendar of its session.
  public BarSource bars() {
    return features;
  }

  /// Returns the backtest columns as bars.
  BarSource prices() {
    return backtest;
  }

  /// Whether a folder is a feature store.
  public static boolean isThere(Path folder) {
    return FeatureManifest.isThere(folder);
  }

  /// Returns the backtest columns of an instrument with `instrument` and `datetime`; without rows
  /// if it was dropped.
  public Table prices(String instrument) {
    return dropped().contains(instrument)
        ? Table.of(Map.of())
        : FeaturePickles.frame(backtest.series(instrument), instrument, backtestExpressions());
  }

  public List<String> instruments() {
    return features.instruments();
  }

  /// Returns what was left out, and why; empty if nothing was.
  public List<String> notes() {
    return manifest.notes();
  }

  /// Returns the instruments that have no features.
  public List<String> dropped() {
    return manifest.dropped();
  }

  /// Returns a source of some of the feature columns.
  ///
  /// @param cachedDays how many days are kept in memory
  /// @throws DataException if the store has no such column
  public FeatureSource features(FeatureColumns columns, int cachedDays) {
    var reader =
        new Reader(
            folder.resolve("feature").toString(), features, true, columns, manifest.features());
    return new DayCache(columns, cachedDays, reader::read, () -> recipe(columns));
  }

  /// Returns a source of some of the backtest columns.
  ///
  /// @throws DataException if the store has no such column
  public FeatureSource backtest(FeatureColumns columns, int cachedDays) {
    var reader =
        new Reader(
            folder.resolve("backtest").toString(), backtest, false, columns, manifest.backtest());
    return new DayCache(columns, cachedDays, reader::read);
  }

  /// Returns how some of the feature columns are computed from bars.
  ///
  /// @throws DataException if the store has no such column
  public FeatureRecipe recipe(FeatureColumns columns) {
    requireColumns(folder.resolve("feature").toString(), columns, manifest.features());
    var statistics = new HashMap<String, GroupStatistics>();
    var names = manifest.features().keySet().iterator();
    int group = 0;
    for (int width : config().groups().values()) {
      for (int i = 0; i < width; i++) {
        statistics.put(names.next(), manifest.statistics().get(group));
      }
      group++;
    }
    if (manifest.days().isEmpty()) {
      return new PipelineFeatures(
          config().dayLength(),
          normalised(columns.today(), manifest.features(), statistics),
          normalised(columns.yesterday(), manifest.features(), statistics));
    }
    var groups = new ArrayList<SessionFeatures.Group>();
    manifest
        .days()
        .forEach(
            (ticks, codes) -> {
              var expressions = HandlerExpressions.features(config().prices(), ticks);
              groups.add(
                  new SessionFeatures.Group(
                      codes,
                      new PipelineFeatures(
                          ticks,
                          normalised(columns.today(), expressions, statistics),
                          normalised(columns.yesterday(), expressions, statistics),
                          true,
                          manifest.isAdjusted())));
            });
    return groups.size() == 1 ? groups.getFirst().features() : new SessionFeatures(groups);
  }

  private static List<Normalised> normalised(
      List<String> names,
      Map<String, String> expressions,
      Map<String, GroupStatistics> statistics) {
    return names.stream()
        .map(
            name ->
                new Normalised(
                    name,
                    Expression.parse(requireNonNull(expressions.get(name))),
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

    private final String where;
    private final boolean
        complete; // normalised features have no missing values; prices are missing during a halt
    private final FeatureColumns columns;
    private final BarSource bars;

    Reader(
        String where,
        BarSource store,
        boolean complete,
        FeatureColumns columns,
        Map<String, String> known) {
      this.where = where;
      this.complete = complete;
      this.columns = columns;
      this.bars = CachedBars.byMemory(store);
      requireColumns(where, columns, known);
    }

    DayFeatures read(String instrument, LocalDate date) {
      BarSeries all = bars.series(instrument);
      Calendar calendar = all.calendar();
      DayFrame found = all.day(date);
      DayFrame frame = found == null || !found.hasBars() ? null : found;
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
      float[] values = new float[frame.ticks()];
      for (int column = 0; column < width; column++) {
        int field = frame.fieldIndex(names.get(column).substring(1));
        boolean present = field >= 0 && !complete;
        if (field >= 0) {
          frame.copy(field, values, 0);
          for (int tick = 0; tick < values.length; tick++) {
            matrix[tick * width + column] = values[tick];
            present |= !Float.isNaN(values[tick]);
          }
        }
        if (!present) {
          throw new DataException(
              "%s, %s on %s".formatted(where, frame.instrument(), frame.date()),
              "values of " + names.get(column),
              "none");
        }
      }
      return matrix;
    }
  }
}
