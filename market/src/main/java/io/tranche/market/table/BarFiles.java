package io.tranche.market.table;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarWriter;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Opens bars whatever they lie in, and creates what they can be written to.
///
/// A path is a Qlib store (a folder with `calendars`), a table file, or a folder of table files;
/// which formats there are, `ServiceLoader` says.
public final class BarFiles {

  /// What a conversion did.
  ///
  /// @param rounded numbers of the source that are not the same decimal in single precision
  public record Conversion(int instruments, long bars, long rounded) {}

  /// Hears how many of all instruments are done.
  @FunctionalInterface
  public interface Progress {
    void at(int done, int all);
  }

  private static final List<TableFormat> FORMATS =
      ServiceLoader.load(TableFormat.class).stream().map(ServiceLoader.Provider::get).toList();

  private BarFiles() {}

  /// Opens the bars at `path`; a table without an instrument column is the instrument of its file
  /// name.
  ///
  /// @throws DataException if there are none or they are damaged
  public static BarSource open(Path path, ColumnMapping mapping) {
    return open(path, mapping, TableFormat::readSingles);
  }

  /// Opens as [#open] does, but reads numbers in full precision first, so that
  /// [TableBars#roundedValues] is known.
  public static BarSource openCounting(Path path, ColumnMapping mapping) {
    return open(path, mapping, TableFormat::read);
  }

  private static BarSource open(Path path, ColumnMapping mapping, Reading reading) {
    if (!Files.exists(path)) {
      throw new DataException(path.toString(), "a file or folder", "none");
    }
    if (isStore(path)) {
      return openStore(path);
    }
    var tables = new ArrayList<BarTable>();
    for (Path file : tableFiles(path)) {
      TableFormat format = format(file);
      List<String> columns = columns(format, file, mapping);
      Table table = reading.read(format, file, columns);
      tables.add(BarTable.of(file, format, table, mapping));
    }
    return TableBars.of(tables, mapping);
  }

  private interface Reading {
    Table read(TableFormat format, Path file, List<String> columns);
  }

  /// Returns the columns to ask for: none for all of them.
  private static List<String> columns(TableFormat format, Path file, ColumnMapping mapping) {
    if (mapping.columns().isEmpty()) {
      return List.of();
    }
    List<String> names = format.columns(file);
    var wanted = new LinkedHashSet<String>();
    @Nullable String instrument = mapping.instrumentIn(names);
    if (instrument != null) {
      wanted.add(instrument);
    }
    @Nullable String time = mapping.timeIn(names);
    if (time != null) {
      wanted.add(time);
    }
    wanted.addAll(mapping.columns());
    return List.copyOf(wanted);
  }

  /// Whether `path` is a folder laid out as a Qlib `.bin` store.
  public static boolean isStore(Path path) {
    return Files.isDirectory(path.resolve("calendars"));
  }

  /// The one place where Qlib's store is plugged in for reading.
  private static BarSource openStore(Path folder) {
    throw new DataException(folder.toString(), "a table file", "a Qlib store");
  }

  /// The one place where Qlib's store is plugged in for writing.
  private static BarWriter createStore(Path folder) {
    throw new DataException(folder.toString(), "a table file", "a Qlib store");
  }

  /// Returns `path` itself, or the table files in that folder by name.
  ///
  /// @throws DataException if there are none
  public static List<Path> tableFiles(Path path) {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> entries = Files.list(path)) {
      List<Path> files =
          entries
              .filter(Files::isRegularFile)
              .filter(file -> FORMATS.stream().anyMatch(format -> format.accepts(file)))
              .sorted()
              .toList();
      if (files.isEmpty()) {
        throw new DataException(
            path.toString(), "a Qlib store or files of " + formatNames(), "neither");
      }
      return files;
    } catch (IOException e) {
      throw new DataException(path.toString(), "a readable folder", e, e);
    }
  }

  /// Returns the format of `file`, by its name.
  ///
  /// @throws DataException if no format accepts it
  public static TableFormat format(Path file) {
    for (TableFormat format : FORMATS) {
      if (format.accepts(file)) {
        return format;
      }
    }
    String name = file.toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".parquet")) {
      throw new DataException(
          file.toString(), "the module io.tranche.parquet (tranche-parquet)", "none of that name");
    }
    throw new DataException(file.toString(), "a file of " + formatNames(), "another");
  }

  /// Creates what bars can be written to at `target`: a table file by its extension, a Qlib store
  /// where there is none.
  ///
  /// @throws DataException if the format is unknown or cannot be written
  public static BarWriter create(Path target) throws IOException {
    Path name = target.getFileName();
    if (name != null && name.toString().indexOf('.', 1) < 0) {
      return createStore(target);
    }
    return new TableBarWriter(format(target), target);
  }

  /// Writes all bars of `source` and commits; the caller closes both.
  public static Conversion convert(BarSource source, BarWriter writer, Progress progress)
      throws IOException {
    List<String> instruments = source.instruments();
    long bars = 0;
    for (int i = 0; i < instruments.size(); i++) {
      progress.at(i, instruments.size());
      BarSeries series = source.series(instruments.get(i));
      for (int row = 0; row < series.size(); row++) {
        bars += series.isMissing(row) ? 0 : 1;
      }
      writer.write(series);
    }
    writer.commit();
    progress.at(instruments.size(), instruments.size());
    long rounded = source instanceof TableBars tables ? tables.roundedValues() : 0;
    return new Conversion(instruments.size(), bars, rounded);
  }

  private static String formatNames() {
    return String.join(", ", FORMATS.stream().map(TableFormat::name).sorted().toList());
  }
}
