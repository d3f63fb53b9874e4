package io.tranche.market.feature;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.cache.RecentCache;
import io.tranche.market.pickle.HandlerPickle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;

/// The features in the files that Qlib's `gen_pickle_data.py` writes, one per stock. Qlib:
/// `HandlerProcessedDataProvider`.
///
/// Yesterday's columns are columns of the same rows. A day without rows is empty.
public final class HandlerPickles {

  private static final int FILES_KEPT = 16;

  private final Path folder;
  private final FeatureColumns columns;
  private final RecentCache<String, Table> files;

  private HandlerPickles(Path folder, FeatureColumns columns) {
    this.folder = folder;
    this.columns = columns;
    this.files = new RecentCache<>(FILES_KEPT, stock -> HandlerPickle.read(file(stock)).frame());
  }

  /// @param folder holds `feature` and `backtest`
  /// @param backtest which of the two to read
  /// @param cachedDays how many days are kept in memory
  public static FeatureSource open(
      Path folder, FeatureColumns columns, boolean backtest, int cachedDays) {
    Path files = folder.resolve(backtest ? "backtest" : "feature");
    return new DayCache(columns, cachedDays, new HandlerPickles(files, columns)::read);
  }

  private Path file(String stock) {
    Path file = folder.resolve(stock + ".pkl");
    if (!folder.equals(file.getParent()) || !Files.isRegularFile(file)) {
      throw new DataException(folder.toString(), "a file of the stock " + stock, "none");
    }
    return file;
  }

  private DayFeatures read(String instrument, LocalDate date) {
    Table table = files.get(instrument);
    String where = file(instrument).toString();
    if (!(table.column("datetime") instanceof Table.Times times)
        || !(table.column("instrument") instanceof Table.Texts codes)) {
      throw new DataException(where, "rows by instrument and datetime", table.names());
    }
    long midnight = BarTime.of(date);
    int[] rows =
        IntStream.range(0, table.rows())
            .filter(row -> instrument.equals(codes.value(row)))
            .filter(row -> times.value(row) >= midnight)
            .filter(row -> times.value(row) < midnight + BarTime.SECONDS_A_DAY)
            .toArray();
    long[] ticks = new long[rows.length];
    for (int tick = 0; tick < ticks.length; tick++) {
      ticks[tick] = times.value(rows[tick]);
    }
    return DayFeatures.wrap(
        instrument,
        date,
        columns,
        ticks,
        matrix(where, table, rows, columns.today()),
        matrix(where, table, rows, columns.yesterday()));
  }

  private static float[] matrix(String where, Table table, int[] rows, List<String> names) {
    float[] matrix = new float[rows.length * names.size()];
    for (int column = 0; column < names.size(); column++) {
      if (!(table.column(names.get(column)) instanceof Table.Singles values)) {
        throw new DataException(
            where, "a column " + names.get(column) + " of float32", table.names());
      }
      for (int tick = 0; tick < rows.length; tick++) {
        matrix[tick * names.size() + column] = values.value(rows[tick]);
      }
    }
    return matrix;
  }
}
