package io.tranche.market.feature;

import io.tranche.market.Table;
import io.tranche.market.cache.RecentCache;
import io.tranche.market.pickle.BacktestPrices;
import io.tranche.market.pickle.PickleFormat;
import io.tranche.market.pickle.PickleStyledFiles;
import io.tranche.market.pickle.ProcessedDay;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;

/// The features in pickle-styled files, one per stock. Qlib: `PickleProcessedDataProvider`.
///
/// The times of a day are those of the backtest file of the same stock; features must have as many
/// ticks. A day without rows is an error, as in Qlib.
public final class StyledPickles {

  private static final int FEWEST_FILES = 16;

  private final Path folder;
  private final Path backtestFolder;
  private final int dimension;
  private final FeatureColumns columns;
  private final RecentCache<String, Table> features;
  private final RecentCache<String, Table> backtest;

  private StyledPickles(Path folder, Path backtestFolder, int dimension) {
    this.folder = folder;
    this.backtestFolder = backtestFolder;
    this.dimension = dimension;
    List<String> names = ProcessedDay.featureNames(dimension);
    this.columns = new FeatureColumns(names, names.stream().map(name -> name + "_1").toList());
    this.features = tables(folder);
    this.backtest = tables(backtestFolder);
  }

  /// @param folder holds the features and `backtestFolder` the prices, as `<stock>.pkl` or
  ///   `<stock>.pkl.backtest`
  /// @param dimension how many features a tick has, which decides their names: 5, 6 or 16
  /// @param cachedDays how many days are kept in memory
  /// @throws io.tranche.config.ConfigException if `dimension` is none of these
  public static FeatureSource open(
      Path folder, Path backtestFolder, int dimension, int cachedDays) {
    var pickles = new StyledPickles(folder, backtestFolder, dimension);
    return new DayCache(pickles.columns, cachedDays, pickles::read);
  }

  private static RecentCache<String, Table> tables(Path folder) {
    return RecentCache.byMemory(FEWEST_FILES, Table::bytes, stock -> read(folder, stock));
  }

  private static Table read(Path folder, String stock) {
    return new PickleFormat().read(PickleStyledFiles.find(folder, stock), List.of());
  }

  private DayFeatures read(String stock, LocalDate date) {
    BacktestPrices prices =
        BacktestPrices.of(backtestFolder + "/" + stock, backtest.get(stock), stock, date);
    int ticks = prices.ticks();
    ProcessedDay day =
        ProcessedDay.of(folder + "/" + stock, features.get(stock), stock, date, dimension, ticks);
    long[] times = new long[ticks];
    float[] today = new float[ticks * dimension];
    float[] yesterday = new float[ticks * dimension];
    for (int tick = 0; tick < ticks; tick++) {
      times[tick] = prices.time(tick);
      for (int feature = 0; feature < dimension; feature++) {
        today[tick * dimension + feature] = (float) day.today(tick, feature);
        yesterday[tick * dimension + feature] = (float) day.yesterday(tick, feature);
      }
    }
    return DayFeatures.wrap(stock, date, columns, times, today, yesterday);
  }
}
