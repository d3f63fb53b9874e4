package io.tranche.market.table;

import io.tranche.market.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Guesses which columns of a table are what, where their names are not those that readers know.
///
/// @param mapping the given one, completed
/// @param notes a line for each guess
public record ColumnGuess(ColumnMapping mapping, List<String> notes) {

  private static final List<String> INSTRUMENTS =
      List.of("sym", "asset", "security", "secid", "stock", "contract", "pair", "代码", "证券代码", "合约");

  private static final List<String> TIMES =
      List.of("date_time", "trade_time", "bar_time", "open_time", "ts", "time_key", "时间", "日期");

  private static final Map<String, List<String>> FIELDS = fields();

  public ColumnGuess {
    notes = List.copyOf(notes);
  }

  private static Map<String, List<String>> fields() {
    var names = new LinkedHashMap<String, List<String>>();
    names.put("open", List.of("o", "open_price", "开盘", "开盘价"));
    names.put("high", List.of("h", "high_price", "最高", "最高价"));
    names.put("low", List.of("l", "low_price", "最低", "最低价"));
    names.put("close", List.of("c", "last", "price", "px", "close_price", "收盘", "收盘价"));
    names.put("volume", List.of("v", "vol", "qty", "quantity", "成交量"));
    return names;
  }

  /// Guesses from the names and the kinds of a table's columns; what `given` says stays.
  public static ColumnGuess of(Table table, ColumnMapping given) {
    var notes = new ArrayList<String>();
    List<String> names = List.copyOf(table.names());
    String instrument = given.instrumentColumn();
    if (instrument == null && given.instrument() == null && given.instrumentIn(names) == null) {
      instrument = first(names, INSTRUMENTS);
      note(notes, instrument, "the instrument");
    }
    String time = given.timeColumn();
    if (time == null && given.timeIn(names) == null) {
      time = first(names, TIMES);
      time = time == null ? onlyTimes(table) : time;
      note(notes, time, "the time");
    }
    var renames = new LinkedHashMap<>(given.renames());
    FIELDS.forEach(
        (field, others) -> {
          if (names.stream().noneMatch(name -> given.field(name).equals(field))) {
            String column = first(names, others);
            if (column != null) {
              renames.put(column, field);
              note(notes, column, field);
            }
          }
        });
    var mapping =
        new ColumnMapping(
            instrument,
            given.instrument(),
            time,
            given.frequency(),
            renames,
            given.columns(),
            given.reading());
    return new ColumnGuess(withNumbersOnly(table, mapping, notes), notes);
  }

  /// Returns the only column that holds times; null if there is none, or several.
  private static @Nullable String onlyTimes(Table table) {
    List<String> found =
        table.names().stream().filter(name -> table.column(name) instanceof Table.Times).toList();
    return found.size() == 1 ? found.getFirst() : null;
  }

  /// Leaves out columns that are neither numbers nor have a role.
  private static ColumnMapping withNumbersOnly(
      Table table, ColumnMapping mapping, List<String> notes) {
    if (!mapping.columns().isEmpty()) {
      return mapping;
    }
    TimeColumn time = TimeColumn.of(table, mapping);
    String instrument = mapping.instrumentIn(table.names());
    var numbers = new ArrayList<String>();
    var others = new ArrayList<String>();
    for (String name : table.names()) {
      boolean role =
          name.isEmpty()
              || name.equals(instrument)
              || (time != null && time.columns().contains(name));
      if (!role) {
        boolean isNumbers =
            table.column(name) instanceof Table.Numbers
                || table.column(name) instanceof Table.Singles;
        (isNumbers ? numbers : others).add(name);
      }
    }
    if (others.isEmpty() || time == null) {
      return mapping;
    }
    notes.add("left out, because they are no numbers: " + String.join(", ", others));
    return new ColumnMapping(
        mapping.instrumentColumn(),
        mapping.instrument(),
        mapping.timeColumn(),
        mapping.frequency(),
        mapping.renames(),
        numbers,
        mapping.reading());
  }

  private static void note(List<String> notes, @Nullable String column, String role) {
    if (column != null) {
      notes.add("column %s is read as %s".formatted(column, role));
    }
  }

  private static @Nullable String first(List<String> names, List<String> wanted) {
    for (String each : wanted) {
      for (String name : names) {
        if (name.strip().toLowerCase(Locale.ROOT).equals(each)) {
          return name;
        }
      }
    }
    return null;
  }
}
