package io.tranche.market.feature.pipeline;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import io.tranche.market.cache.RecentCache;
import io.tranche.market.feature.DayCache;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The features in a folder that Qlib's configurations name: the files of `gen_pickle_data.py`, one
/// per stock, or the same in another form. Qlib: `HandlerProcessedDataProvider`.
///
/// The folder is a [FeatureStore], or holds `feature` and `backtest` with one file per stock: a
/// handler pickle, or a table of any [TableFormat] with a column `datetime` and, if it has rows of
/// several stocks, `instrument`. Yesterday's columns are columns of the same rows. A day without
/// rows is empty.
public final class FeatureFiles {

  private static final int FEWEST_FILES = 16;

  private final Path folder;
  private final FeatureColumns columns;
  private final RecentCache<String, StockTable> files;

  private FeatureFiles(Path folder, FeatureColumns columns) {
    this.folder = folder;
    this.columns = columns;
    this.files = RecentCache.byMemory(FEWEST_FILES, StockTable::bytes, this::read);
  }

  /// @param root a feature store, or a folder with `feature` and `backtest`
  /// @param backtest which of the two to read
  /// @param cachedDays how many days are kept in memory
  /// @throws DataException if a feature store has no such columns
  public static FeatureSource open(
      Path root, FeatureColumns columns, boolean backtest, int cachedDays) {
    if (FeatureManifest.isThere(root)) {
      FeatureStore store = FeatureStore.open(root);
      return backtest ? store.backtest(columns, cachedDays) : store.features(columns, cachedDays);
    }
    Path files = root.resolve(backtest ? "backtest" : "feature");
    return new DayCache(columns, cachedDays, new FeatureFiles(files, columns)::day);
  }

  /// A stock's rows.
  ///
  /// @param times of all rows
  /// @param codes the stock of each row; null if all are of one
  private record StockTable(
      Path file, Table table, Table.Times times, Table.@Nullable Texts codes) {

    long bytes() {
      return table.bytes() + (table.column("datetime") == times ? 0 : times.bytes());
    }

    boolean isOf(String stock, int row) {
      return codes == null || stock.equals(codes.value(row));
    }
  }

  /// Finds the file of a stock. Where the pickle that Qlib would read is there, other files do not
  /// count.
  private Path file(String stock) {
    if (!folder.equals(folder.resolve(stock + ".pkl").getParent())) {
      throw new DataException(folder.toString(), "a file of the stock " + stock, "none");
    }
    Path pickle = folder.resolve(stock + ".pkl");
    if (Files.isRegularFile(pickle)) {
      return pickle;
    }
    List<Path> found;
    try (Stream<Path> entries = Files.isDirectory(folder) ? Files.list(folder) : Stream.empty()) {
      found =
          entries
              .filter(file -> file.getFileName().toString().startsWith(stock + "."))
              .filter(Files::isRegularFile)
              .filter(file -> TableFormat.installed().stream().anyMatch(each -> each.accepts(file)))
              .sorted()
              .toList();
    } catch (IOException e) {
      throw new DataException(folder.toString(), "a readable folder", e, e);
    }
    if (found.size() != 1) {
      throw new DataException(
          folder.toString(),
          "a file of the stock " + stock,
          found.isEmpty() ? "none" : found.stream().map(Path::getFileName).toList());
    }
    return found.getFirst();
  }

  private StockTable read(String stock) {
    Path file = file(stock);
    Table table = TableFormat.of(file).readSingles(file, List.of());
    Table.Texts codes = table.column("instrument") instanceof Table.Texts texts ? texts : null;
    if (codes == null && table.column("instrument") != null && table.rows() > 0) {
      throw new DataException(file.toString(), "texts in instrument", "something else");
    }
    return new StockTable(file, table, times(file, table), codes);
  }

  private static Table.Times times(Path file, Table table) {
    if (table.rows() == 0) {
      return new Table.Times(new long[0]); // a stock that Qlib's filter dropped
    }
    return switch (table.column("datetime")) {
      case Table.Times times when !times.areInstants() -> times;
      case Table.Texts _ -> {
        long[] seconds = new long[table.rows()];
        for (int row = 0; row < seconds.length; row++) {
          try {
            seconds[row] = table.time("datetime", row);
          } catch (DateTimeException e) {
            throw new DataException(
                TableFormat.of(file).place(file, row), "a time in datetime", e.getMessage());
          }
        }
        yield new Table.Times(seconds);
      }
      case null, default ->
          throw new DataException(
              file.toString(),
              "a column datetime with times of the exchange",
              "the columns " + table.names());
    };
  }

  private DayFeatures day(String instrument, LocalDate date) {
    StockTable stock = files.get(instrument);
    long midnight = BarTime.of(date);
    int[] rows =
        IntStream.range(0, stock.table().rows())
            .filter(row -> stock.isOf(instrument, row))
            .filter(row -> stock.times().value(row) >= midnight)
            .filter(row -> stock.times().value(row) < midnight + BarTime.SECONDS_A_DAY)
            .toArray();
    long[] ticks = new long[rows.length];
    for (int tick = 0; tick < ticks.length; tick++) {
      ticks[tick] = stock.times().value(rows[tick]);
    }
    return DayFeatures.wrap(
        instrument,
        date,
        columns,
        ticks,
        matrix(stock, rows, columns.today()),
        matrix(stock, rows, columns.yesterday()));
  }

  private static float[] matrix(StockTable stock, int[] rows, List<String> names) {
    float[] matrix = new float[rows.length * names.size()];
    for (int column = 0; column < names.size(); column++) {
      for (int tick = 0; tick < rows.length; tick++) {
        matrix[tick * names.size() + column] =
            switch (stock.table().column(names.get(column))) {
              case Table.Singles values -> values.value(rows[tick]);
              case Table.Numbers values -> (float) values.value(rows[tick]);
              case null, default ->
                  throw new DataException(
                      stock.file().toString(),
                      "a column %s of numbers".formatted(names.get(column)),
                      stock.table().names());
            };
      }
    }
    return matrix;
  }
}
