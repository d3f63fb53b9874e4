package io.tranche.market.table;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A table whose columns for the instrument, the time and the fields are known.
final class BarTable {

  /// Rows `from` to `to` in the order of their instrument.
  record Rows(BarTable table, String instrument, int from, int to) {

    /// Returns the table's row number of row `i`, counted from `from`.
    int row(int i) {
      return table.order == null ? from + i : table.order[from + i];
    }

    int size() {
      return to - from;
    }

    /// Whether these are the table's rows `from` to `to`.
    boolean areInOrder() {
      return table.order == null;
    }

    /// Copies all times into `target` from `offset` on.
    void copyTimes(long[] target, int offset) {
      if (areInOrder()) {
        table.times.copy(from, target, offset, size());
      } else {
        for (int i = 0; i < size(); i++) {
          target[offset + i] = time(i);
        }
      }
    }

    long time(int i) {
      return table.times.value(row(i));
    }

    /// Returns file, row, instrument and time of row `i`, for messages.
    String where(int i) {
      return "%s, %s at %s".formatted(table.place(row(i)), instrument, BarTime.format(time(i)));
    }
  }

  private final Path file;
  private final TableFormat format;
  private final Table.Texts instruments;
  private final Table.Times times;
  private final Map<String, Table.Column> fields;
  private int @Nullable [] order; // rows sorted by instrument; null: they are

  private BarTable(
      Path file,
      TableFormat format,
      Table.Texts instruments,
      Table.Times times,
      Map<String, Table.Column> fields) {
    this.file = file;
    this.format = format;
    this.instruments = instruments;
    this.times = times;
    this.fields = fields;
  }

  /// @throws DataException if a column is missing or has the wrong type
  static BarTable of(Path file, TableFormat format, Table table, ColumnMapping mapping) {
    List<String> timeColumns = TimeColumn.candidates(table.names(), mapping);
    if (timeColumns.isEmpty()) {
      String wanted =
          mapping.timeColumn() == null
              ? "one of " + ColumnMapping.TIME_NAMES
              : mapping.timeColumn();
      throw new DataException(file.toString(), "a time column, " + wanted, table.names());
    }
    String instrumentColumn = mapping.instrumentIn(table.names());
    if (instrumentColumn == null && mapping.instrumentColumn() != null) {
      throw new DataException(
          file.toString(), "a column " + mapping.instrumentColumn(), table.names());
    }
    if (table.rows() == 0) {
      throw new DataException(file.toString(), "at least one bar", "a table without rows");
    }
    TimeColumn found = TimeColumn.of(table, mapping);
    if (found == null) {
      throw badCell(
          file, format, table, timeColumns.getLast(), "a time such as 2021-03-01 09:30:00");
    }
    var fields = new LinkedHashMap<String, Table.Column>();
    for (String name : table.names()) {
      boolean role = found.columns().contains(name) || name.equals(instrumentColumn);
      if (role || name.isEmpty()) { // pandas writes an index without a name
        continue;
      }
      String field = mapping.field(name);
      if (field.isEmpty() || fields.put(field, numbers(file, format, table, name)) != null) {
        throw new DataException(
            file.toString(), "columns that become different fields", name + " twice");
      }
    }
    if (fields.isEmpty()) {
      throw new DataException(
          file.toString(), "a column besides instrument and time", table.names());
    }
    Table.Texts instruments =
        instrumentColumn == null
            ? new Table.Texts(new String[] {mapping.instrumentOf(file)}, new int[table.rows()])
            : instruments(file, format, table, instrumentColumn);
    return new BarTable(file, format, instruments, found.times(), fields);
  }

  private static Table.Column numbers(Path file, TableFormat format, Table table, String name) {
    Table.Column column = table.column(name);
    if (column instanceof Table.Numbers || column instanceof Table.Singles) {
      return column;
    }
    throw badCell(file, format, table, name, "a number (or a mapping that leaves this column out)");
  }

  /// Finds the first cell that gave a column the wrong type.
  private static DataException badCell(
      Path file, TableFormat format, Table table, String name, String expected) {
    Table.Column column = table.column(name);
    int row = 0;
    String wanted = expected;
    Object found =
        switch (column) {
          case Table.Numbers numbers -> numbers.value(0);
          case Table.Singles singles -> singles.value(0);
          case Table.Times times -> BarTime.format(times.value(0));
          case Table.Texts _ -> null;
          case null -> null;
        };
    if (column instanceof Table.Texts texts) {
      boolean asTime = expected.startsWith("a time");
      row = BarCells.firstUnreadable(texts, asTime);
      found = "'" + texts.value(row) + "'";
      if (asTime && BarCells.isTime(texts.value(row))) {
        wanted = "times that all have an offset such as +08:00 or Z, or none of them";
      }
    }
    return new DataException(format.place(file, row) + ", column " + name, wanted, found);
  }

  private static Table.Texts instruments(Path file, TableFormat format, Table table, String name) {
    Table.Column column = table.column(name);
    if (column instanceof Table.Texts texts) {
      return texts;
    }
    if (column instanceof Table.Times || column == null) {
      throw new DataException(file + ", column " + name, "instruments", "times");
    }
    // Codes such as 600000 look like numbers.
    @Nullable String[] codes = new String[table.rows()];
    for (int row = 0; row < codes.length; row++) {
      double value = table.number(name, row);
      if (value != Math.rint(value) || Math.abs(value) > 1e15) {
        throw new DataException(format.place(file, row) + ", column " + name, "a code", value);
      }
      codes[row] = Long.toString((long) value);
    }
    return Table.Texts.of(codes);
  }

  String place(int row) {
    return format.place(file, row);
  }

  /// @throws DataException if one of the tables has instants and the other has not
  void requireTimesLike(BarTable other) {
    if (times.areInstants() != other.times.areInstants()) {
      throw new DataException(
          file.toString(),
          "times %s an offset, as in %s"
              .formatted(other.times.areInstants() ? "with" : "without", other.file),
          times.areInstants() ? "times with one" : "times without one");
    }
  }

  boolean hasInstants() {
    return times.areInstants();
  }

  Map<String, Table.Column> fields() {
    return fields;
  }

  /// Returns the rows of each instrument, in the order in which the instruments first appear.
  ///
  /// @throws DataException if a row has no instrument
  List<Rows> byInstrument() {
    String[] names = instruments.distinct();
    int[] ends = new int[names.length]; // first the count, then the end of each one's rows
    var appearance = new ArrayList<Integer>();
    boolean sorted = true;
    int previous = -1;
    for (int row = 0; row < instruments.size(); row++) {
      int code = instruments.code(row);
      if (code < 0) {
        throw new DataException(place(row), "an instrument", "none");
      }
      if (code != previous) {
        if (ends[code] == 0) {
          appearance.add(code);
        } else {
          sorted = false;
        }
        previous = code;
      }
      ends[code]++;
    }
    int end = 0;
    int[] next = new int[names.length];
    for (int code : appearance) {
      next[code] = end;
      end += ends[code];
      ends[code] = end;
    }
    var rows = new ArrayList<Rows>(names.length);
    for (int code : appearance) {
      rows.add(new Rows(this, names[code], next[code], ends[code]));
    }
    if (!sorted) {
      int[] byCode = new int[instruments.size()];
      for (int row = 0; row < byCode.length; row++) {
        byCode[next[instruments.code(row)]++] = row;
      }
      order = byCode;
    }
    return rows;
  }
}
