package io.tranche.market.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import io.tranche.market.table.CsvColumn.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// CSV as in RFC 4180: a header line, UTF-8 with or without a byte order mark, LF or CRLF. Cells
/// may be separated by semicolons or tabs instead ([CsvCells]).
///
/// A column holds numbers or times when each of its cells is one or empty, texts otherwise. Texts
/// that look like numbers therefore come back as numbers, unless one has a leading zero.
public final class CsvFormat implements TableFormat {

  private static final int MAX_COLUMNS = 10_000;

  @Override
  public String name() {
    return "csv";
  }

  @Override
  public boolean accepts(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".csv");
  }

  /// Opens the bytes of a file; called again if it must be read again.
  @FunctionalInterface
  interface Bytes {
    InputStream open() throws IOException;
  }

  @Override
  public Table read(Path file, List<String> columns) {
    try {
      return read(file, () -> Files.newInputStream(file), columns);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  static Table read(Path file, Bytes bytes, List<String> columns) throws IOException {
    var texts = new HashSet<String>();
    Table table = read(file, bytes, columns, texts);
    if (table == null) {
      // If a later cell shows that a column is not numeric, the file is read again.
      table = read(file, bytes, columns, texts);
    }
    if (table == null) {
      throw new DataException(file.toString(), "a file that stays as it is", "one that changed");
    }
    return table;
  }

  /// Returns null, and adds to `texts`, if columns not in `texts` turned out to hold texts.
  private static @Nullable Table read(
      Path file, Bytes bytes, List<String> wanted, Set<String> texts) throws IOException {
    try (var cells = new CsvCells(file, bytes.open())) {
      List<String> header = header(file, cells);
      var byName = new LinkedHashMap<String, CsvColumn>();
      for (String name : wanted.isEmpty() ? header : wanted) {
        if (!header.contains(name)) {
          throw new DataException(file + ":1", "a column " + name, header);
        }
        byName.put(name, new CsvColumn(texts.contains(name) ? Kind.TEXTS : Kind.UNKNOWN));
      }
      var columns = new @Nullable CsvColumn[header.size()];
      for (int i = 0; i < columns.length; i++) {
        columns[i] = byName.get(header.get(i));
      }
      while (cells.nextRecord()) {
        record(file, cells, header, columns);
      }
      byName.forEach(
          (name, column) -> {
            if (column.isIncomplete()) {
              texts.add(name);
            }
          });
      return byName.values().stream().anyMatch(CsvColumn::isIncomplete) ? null : table(byName);
    }
  }

  private static Table table(Map<String, CsvColumn> byName) {
    var columns = new LinkedHashMap<String, Table.Column>();
    byName.forEach((name, column) -> columns.put(name, column.toColumn()));
    return Table.of(columns);
  }

  @FunctionalInterface
  public interface Problems {
    /// @param column null if the whole record is wrong
    void add(String place, @Nullable String column, String expected, String found);
  }

  /// Reads as much as possible: a bad cell is reported and counts as missing, as do the cells that
  /// a short record lacks; cells beyond the header are dropped.
  ///
  /// @param times the columns that must hold times
  /// @param texts the columns that may hold anything; all others must hold numbers
  /// @throws DataException if the file cannot be cut into records
  public Table readTolerantly(Path file, Set<String> times, Set<String> texts, Problems problems) {
    try {
      return readTolerantly(file, () -> Files.newInputStream(file), times, texts, problems);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  static Table readTolerantly(
      Path file, Bytes bytes, Set<String> times, Set<String> texts, Problems problems)
      throws IOException {
    try (var cells = new CsvCells(file, bytes.open())) {
      List<String> header = header(file, cells);
      var columns = new LinkedHashMap<String, CsvColumn>();
      for (String name : header) {
        Kind other = times.contains(name) ? Kind.TIMES : Kind.NUMBERS;
        columns.put(name, new CsvColumn(texts.contains(name) ? Kind.TEXTS : other));
      }
      while (cells.nextRecord()) {
        String place = file + ":" + cells.line();
        int count = 0;
        for (var column : columns.entrySet()) {
          boolean there = count == 0 || !cells.isLast();
          if (there) {
            cells.next();
            count++;
          }
          int end = there ? cells.end() : cells.start();
          if (!isAdded(column.getValue(), cells.bytes(), cells.start(), end)) {
            problems.add(
                place,
                column.getKey(),
                texts.contains(column.getKey())
                    ? "UTF-8"
                    : times.contains(column.getKey()) ? "a time" : "a number",
                new String(cells.bytes(), cells.start(), end - cells.start(), UTF_8));
          }
        }
        boolean more = !cells.isLast();
        while (!cells.isLast()) {
          cells.next();
        }
        if (more || count < header.size()) {
          problems.add(place, null, header.size() + " cells", more ? "more" : "" + count);
        }
      }
      return table(columns);
    }
  }

  /// Adds a cell; if it is wrong, adds a missing one and returns false.
  private static boolean isAdded(CsvColumn column, byte[] bytes, int from, int to)
      throws CharacterCodingException {
    try {
      return column.add(bytes, from, to);
    } catch (CharacterCodingException e) {
      column.add(bytes, from, from);
      return false;
    }
  }

  private static void record(
      Path file, CsvCells cells, List<String> header, @Nullable CsvColumn[] columns)
      throws IOException {
    for (int i = 0; i < columns.length; i++) {
      cells.next();
      CsvColumn column = columns[i];
      if (column != null) {
        try {
          column.add(cells.bytes(), cells.start(), cells.end());
        } catch (CharacterCodingException e) {
          String where = "%s:%d, column %s".formatted(file, cells.line(), header.get(i));
          throw new DataException(where, "UTF-8", "other bytes", e);
        }
      }
      if (cells.isLast() != (i == columns.length - 1)) {
        throw new DataException(
            file + ":" + cells.line(),
            "%d cells".formatted(columns.length),
            cells.isLast() ? i + 1 : "more");
      }
    }
  }

  private static List<String> header(Path file, CsvCells cells) throws IOException {
    if (!cells.nextRecord()) {
      throw new DataException(file + ":1", "a header", "an empty file");
    }
    var names = new ArrayList<String>();
    var dictionary = new TextDictionary();
    do {
      cells.next();
      try {
        if (dictionary.code(cells.bytes(), cells.start(), cells.end()) < names.size()) {
          throw new DataException(
              file + ":1", "different column names", dictionary.distinct()[names.size() - 1]);
        }
      } catch (CharacterCodingException e) {
        throw new DataException(
            file + ":1", "a header in UTF-8", "other bytes: export a spreadsheet as CSV", e);
      }
      names.add("");
      if (names.size() > MAX_COLUMNS) {
        throw new DataException(file + ":1", "at most " + MAX_COLUMNS + " columns", "more");
      }
    } while (!cells.isLast());
    for (String name : dictionary.distinct()) {
      if (name.indexOf('\0') >= 0) {
        throw new DataException(
            file + ":1", "text such as CSV", "a binary file: export a spreadsheet as CSV");
      }
      if (!name.isBlank() && BarCells.isTime(name)) {
        throw new DataException(
            file + ":1", "a header line with the names of the columns", "'" + name + "'");
      }
    }
    return List.of(dictionary.distinct());
  }

  @Override
  public List<String> columns(Path file) {
    try (var cells = new CsvCells(file, Files.newInputStream(file))) {
      return header(file, cells);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static DataException unreadable(Path file, IOException e) {
    Object found = Files.exists(file) ? e : "none";
    return new DataException(file.toString(), "a readable CSV file", found, e);
  }

  /// Returns `file:line`; a record that spans several lines counts as one.
  @Override
  public String place(Path file, int row) {
    return file + ":" + (row + 2);
  }

  @Override
  public Writer create(Path target) throws IOException {
    return new CsvWriter(target);
  }
}
