package io.tranche.market.table;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarWriter;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import io.tranche.market.pickle.PickleFormat;
import io.tranche.market.session.SessionBars;
import io.tranche.market.store.QlibStore;
import io.tranche.market.store.QlibStoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Opens bars of any format, and creates writers for them.
///
/// A path is a Qlib store (a folder with `calendars`), a table file, or a folder of table files;
/// `ServiceLoader` finds the formats.
public final class BarFiles {

  /// What a conversion did.
  ///
  /// @param rounded numbers of the source that are not the same decimal in single precision
  public record Conversion(int instruments, long bars, long rounded) {}

  @FunctionalInterface
  public interface Progress {
    void at(int done, int all);
  }

  private BarFiles() {}

  /// Opens the bars at `path`; a table without an instrument column is the instrument of its file
  /// name.
  ///
  /// @throws DataException if there are none, they are damaged, or their times have an offset,
  ///   which only a session can convert
  public static BarSource open(Path path, ColumnMapping mapping) {
    BarSource bars = open(path, mapping, TableFormat::readSingles);
    if (bars.hasInstants()) {
      throw new DataException(
          path.toString(), "times of the exchange, without an offset", "times with one");
    }
    return bars;
  }

  /// Opens the bars at `path`, those of each instrument on the calendar of its session.
  ///
  /// @throws DataException if there are none, they are damaged, or have no session
  public static BarSource openSessions(Path path, ColumnMapping mapping) {
    return inSessions(path.toString(), open(path, mapping, TableFormat::readSingles), mapping);
  }

  /// Returns bars that were opened with `mapping` in their sessions.
  ///
  /// @param where what to call them in errors
  public static BarSource inSessions(String where, BarSource raw, ColumnMapping mapping) {
    try {
      return SessionBars.of(where, raw, mapping.reading());
    } catch (RuntimeException e) {
      raw.close();
      throw e;
    }
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
      BarSource store = openStore(path, mapping);
      if (store.instruments().isEmpty()) {
        store.close();
        throw new DataException(path.toString(), "bars of at least one instrument", "none");
      }
      return store;
    }
    var tables = new ArrayList<BarTable>();
    for (Path file : tableFiles(path)) {
      TableFormat format = TableFormat.of(file);
      List<String> columns = columns(format, file, mapping);
      Table table = reading.read(format, file, columns);
      // Qlib's feature script leaves an empty pickle for each stock that it drops.
      if (table.rows() > 0 || !(format instanceof PickleFormat) || !Files.isDirectory(path)) {
        tables.add(BarTable.of(file, format, table, mapping));
      }
    }
    if (tables.isEmpty()) {
      throw new DataException(path.toString(), "bars of at least one instrument", "none");
    }
    return TableBars.of(tables, mapping);
  }

  private interface Reading {
    Table read(TableFormat format, Path file, List<String> columns);
  }

  /// Returns the columns to read; empty for all.
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
    wanted.addAll(TimeColumn.candidates(names, mapping));
    wanted.addAll(mapping.columns());
    return List.copyOf(wanted);
  }

  /// Whether `path` is a folder laid out as a Qlib `.bin` store.
  public static boolean isStore(Path path) {
    return Files.isDirectory(path.resolve("calendars"));
  }

  /// Opens the store's only bar width, or the wanted one.
  private static BarSource openStore(Path folder, ColumnMapping mapping) {
    Frequency frequency = mapping.frequency();
    if (frequency == null) {
      List<Frequency> stored = QlibStore.frequencies(folder);
      if (stored.size() != 1) {
        throw new DataException(
            folder.toString(), "one bar width, or --frequency to choose one", stored);
      }
      frequency = stored.getFirst();
    }
    return QlibStore.open(folder, frequency, mapping.rawSession());
  }

  /// Returns `path` itself, or the table files in that folder, sorted by name.
  ///
  /// @throws DataException if there are none
  public static List<Path> tableFiles(Path path) {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    List<TableFormat> formats = TableFormat.installed();
    try (Stream<Path> entries = Files.list(path)) {
      List<Path> files =
          entries
              .filter(Files::isRegularFile)
              .filter(file -> formats.stream().anyMatch(format -> format.accepts(file)))
              .filter(file -> !file.getFileName().toString().equals(PickleFormat.LEFTOVER))
              .sorted()
              .toList();
      if (files.isEmpty()) {
        throw new DataException(
            path.toString(), "a Qlib store or files of " + TableFormat.names(formats), "neither");
      }
      return files;
    } catch (IOException e) {
      throw new DataException(path.toString(), "a readable folder", e, e);
    }
  }

  /// Creates a writer of bars at `target`: a table file if it has such an extension, else a Qlib
  /// store.
  ///
  /// @throws DataException if the format is unknown or cannot be written
  public static BarWriter create(Path target) throws IOException {
    Path name = target.getFileName();
    if (name != null && name.toString().indexOf('.', 1) < 0) {
      return QlibStoreWriter.create(target, QlibStoreWriter.Existing.REFUSE);
    }
    return new TableBarWriter(TableFormat.of(target), target);
  }

  /// Writes all bars of `source` and commits; the caller closes both.
  public static Conversion convert(BarSource source, BarWriter writer, Progress progress)
      throws IOException {
    BarSource whole = source instanceof SessionBars sessions ? sessions.onOneCalendar() : source;
    List<String> instruments = source.instruments();
    long bars = 0;
    for (int i = 0; i < instruments.size(); i++) {
      progress.at(i, instruments.size());
      Session session = source.session(instruments.get(i));
      if (session != null) {
        writer.record(instruments.get(i), session);
      }
      BarSeries series = whole.series(instruments.get(i));
      for (int row = 0; row < series.size(); row++) {
        bars += series.isMissing(row) ? 0 : 1;
      }
      writer.write(series);
    }
    writer.commit();
    progress.at(instruments.size(), instruments.size());
    long rounded = whole instanceof TableBars tables ? tables.roundedValues() : 0;
    return new Conversion(instruments.size(), bars, rounded);
  }

  /// Writes bars as a table of `symbol`, `datetime` and one column per field; missing bars get no
  /// row.
  private static final class TableBarWriter implements BarWriter {

    private final TableFormat.Writer out;

    TableBarWriter(TableFormat format, Path target) throws IOException {
      this.out = format.create(target);
    }

    @Override
    public void write(BarSeries series) throws IOException {
      int[] rows = new int[series.size()];
      int count = 0;
      for (int row = 0; row < rows.length; row++) {
        if (!series.isMissing(row)) {
          rows[count++] = row;
        }
      }
      long[] times = new long[count];
      for (int i = 0; i < count; i++) {
        times[i] = series.calendar().time(series.firstBar() + rows[i]);
      }
      var columns = new LinkedHashMap<String, Table.Column>();
      columns.put("symbol", new Table.Texts(new String[] {series.instrument()}, new int[count]));
      columns.put("datetime", new Table.Times(times));
      for (int field = 0; field < series.fields().size(); field++) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
          values[i] = series.value(field, rows[i]);
        }
        columns.put(series.fields().get(field), new Table.Singles(values));
      }
      out.append(Table.of(columns));
    }

    @Override
    public void commit() throws IOException {
      out.commit();
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
