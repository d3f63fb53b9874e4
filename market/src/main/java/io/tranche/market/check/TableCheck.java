package io.tranche.market.check;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Session;
import io.tranche.market.Side;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import io.tranche.market.table.ColumnMapping;
import io.tranche.market.table.CsvFormat;
import io.tranche.market.table.TimeColumn;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Checks table files: bars, or orders where a file has the columns of orders.
final class TableCheck {

  private record Key(String instrument, List<String> fields) {}

  private final Path path;
  private final CheckOptions options;
  private final Findings findings;
  private final Map<Key, BarStream> streams = new LinkedHashMap<>();

  TableCheck(Path path, CheckOptions options, Findings findings) {
    this.path = path;
    this.options = options;
    this.findings = findings;
  }

  void check(List<Path> files) {
    for (Path file : files) {
      try {
        TableFormat format = TableFormat.of(file);
        List<String> names = format.columns(file);
        if (OrderCheck.isOrders(names)) {
          new OrderCheck(file, format, findings).check(names);
        } else {
          checkBars(file, format, names);
        }
      } catch (DataException e) {
        findings.add(Rule.UNREADABLE, file, String.valueOf(e.getMessage()));
      }
    }
    new MarketDays(path, options, findings).check(streams.values());
  }

  /// Reads as much as possible of a file in any format.
  static Table read(
      Path file, TableFormat format, Set<String> times, Set<String> texts, Findings findings) {
    if (!(format instanceof CsvFormat csv)) {
      return format.read(file, List.of());
    }
    return csv.readTolerantly(
        file,
        times,
        texts,
        (place, column, expected, found) ->
            findings.add(
                column == null ? Rule.WRONG_RECORD : Rule.UNPARSABLE_CELL,
                file,
                place.substring(file.toString().length()),
                null,
                column == null ? found : "%s '%s'".formatted(column, found)));
  }

  static IntFunction<String> places(Path file, TableFormat format) {
    int prefix = file.toString().length();
    return row -> format.place(file, row).substring(prefix).strip();
  }

  private void checkBars(Path file, TableFormat format, List<String> names) {
    ColumnMapping mapping = options.mapping();
    List<String> timeColumns = TimeColumn.candidates(names, mapping);
    if (timeColumns.isEmpty()) {
      findings.add(Rule.WRONG_COLUMN, file, "no time column in " + names);
      return;
    }
    String instrument = mapping.instrumentIn(names);
    var texts = new LinkedHashSet<String>();
    texts.add(""); // an index without a name
    if (instrument != null) {
      texts.add(instrument);
    }
    if (!mapping.columns().isEmpty()) {
      names.stream().filter(name -> !mapping.columns().contains(name)).forEach(texts::add);
    }
    TimeColumn whole = format instanceof CsvFormat ? times(file, format, timeColumns) : null;
    String time = timeColumns.getLast();
    if (whole == null) {
      texts.remove(time);
    } else {
      texts.addAll(timeColumns);
    }
    Table table = read(file, format, whole == null ? Set.of(time) : Set.of(), texts, findings);
    if (table.rows() == 0) {
      findings.add(Rule.NO_BARS, file, "a table without rows");
      return;
    }
    TimeColumn found = whole == null ? TimeColumn.of(table, mapping) : whole;
    if (found == null) {
      findings.add(Rule.WRONG_COLUMN, file, time + " does not hold times");
      return;
    }
    var fields = new ArrayList<String>();
    var columns = new ArrayList<String>();
    for (String name : table.names()) {
      if (found.columns().contains(name) || texts.contains(name)) {
        continue;
      }
      Table.Column column = table.column(name);
      if (column instanceof Table.Numbers || column instanceof Table.Singles) {
        fields.add(mapping.field(name));
        columns.add(name);
      } else {
        findings.add(Rule.WRONG_COLUMN, file, name + " does not hold numbers");
      }
    }
    if (fields.isEmpty()) {
      findings.add(Rule.WRONG_COLUMN, file, "no column of numbers in " + names);
      return;
    }
    checkRows(file, format, table, instrument, local(file, time, found.times()), fields, columns);
  }

  /// Returns the times of a file that are read without a fault, in whatever form; null otherwise.
  private @Nullable TimeColumn times(Path file, TableFormat format, List<String> columns) {
    try {
      return TimeColumn.of(format.read(file, columns), options.mapping());
    } catch (DataException _) {
      return null; // the check of all columns will say where
    }
  }

  /// Returns the times of the exchange, as far as the stated session can tell.
  private Table.Times local(Path file, String name, Table.Times times) {
    ZoneId from = times.areInstants() ? ZoneId.of("UTC") : options.mapping().reading().zone();
    if (from == null) {
      return times;
    }
    Session session = options.mapping().session();
    ZoneId zone = session == null ? null : session.zone();
    if (zone == null) {
      findings.add(
          Rule.ZONED_TIMES,
          file,
          times.areInstants()
              ? name + " holds times with a zone or an offset"
              : "times of " + from);
      return times;
    }
    long[] local = new long[times.size()];
    for (int row = 0; row < local.length; row++) {
      long time = times.value(row);
      local[row] =
          time == Table.Times.MISSING
              ? time
              : BarTime.of(
                  BarTime.dateTime(time).atZone(from).withZoneSameInstant(zone).toLocalDateTime());
    }
    return new Table.Times(local);
  }

  private void checkRows(
      Path file,
      TableFormat format,
      Table table,
      @Nullable String instrumentColumn,
      Table.Times times,
      List<String> fields,
      List<String> columns) {
    IntFunction<String> place = places(file, format);
    String constant = instrumentColumn == null ? options.mapping().instrumentOf(file) : "";
    double[] values = new double[columns.size()];
    String previous = null;
    BarStream stream = null;
    for (int row = 0; row < table.rows(); row++) {
      String instrument =
          instrumentColumn == null ? constant : text(table.column(instrumentColumn), row);
      long time = times.value(row);
      if (instrument == null || time == Table.Times.MISSING) {
        findings.add(
            Rule.NO_INSTRUMENT_OR_TIME,
            file,
            place.apply(row),
            instrument,
            instrument == null ? "no instrument" : "no time");
        continue;
      }
      if (stream == null || !instrument.equals(previous)) {
        previous = instrument;
        stream =
            streams.computeIfAbsent(
                new Key(instrument, List.copyOf(fields)),
                key ->
                    new BarStream(
                        file, key.instrument(), key.fields(), options.longRun(), findings, place));
        stream.continueIn(file, place);
      }
      for (int i = 0; i < values.length; i++) {
        values[i] = table.number(columns.get(i), row);
      }
      stream.add(row, time, values);
    }
  }

  /// Returns a cell as a text; codes that look like numbers become texts again.
  static @Nullable String text(Table.@Nullable Column column, int row) {
    return switch (column) {
      case Table.Texts texts -> texts.value(row);
      case Table.Numbers numbers -> whole(numbers.value(row));
      case Table.Singles singles -> whole(singles.value(row));
      case Table.Times _ -> null;
      case null -> null;
    };
  }

  private static @Nullable String whole(double value) {
    if (Double.isNaN(value)) {
      return null;
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /// Checks a file of orders: columns instrument, amount, a side and a time, as Qlib names them.
  private record OrderCheck(Path file, TableFormat format, Findings findings) {

    private static final List<String> SIDES = List.of("order_type", "direction", "side");

    /// Whether these are the columns of orders rather than of bars.
    static boolean isOrders(List<String> names) {
      return names.contains("amount") && SIDES.stream().anyMatch(names::contains);
    }

    void check(List<String> names) {
      String given = ColumnMapping.DEFAULT.timeIn(names);
      String time = given == null && names.contains("start") ? "start" : given;
      String instrument = ColumnMapping.DEFAULT.instrumentIn(names);
      if (time == null || instrument == null) {
        findings.add(Rule.WRONG_COLUMN, file, "no instrument or no time column in " + names);
        return;
      }
      String side = SIDES.stream().filter(names::contains).findFirst().orElseThrow();
      var texts = new HashSet<>(names);
      texts.remove(time);
      texts.remove("amount");
      Table table = TableCheck.read(file, format, Set.of(time), texts, findings);
      if (!(table.column(time) instanceof Table.Times times)
          || !(table.column("amount") instanceof Table.Numbers
              || table.column("amount") instanceof Table.Singles)) {
        findings.add(Rule.WRONG_COLUMN, file, "no times or no amounts in numbers");
        return;
      }
      IntFunction<String> place = TableCheck.places(file, format);
      for (int row = 0; row < table.rows(); row++) {
        String code = TableCheck.text(table.column(instrument), row);
        double amount = table.number("amount", row);
        String fault =
            fault(code, times.value(row), amount, TableCheck.text(table.column(side), row));
        long at = times.value(row) == Table.Times.MISSING ? Findings.NO_TIME : times.value(row);
        int here = row;
        if (fault != null) {
          findings.add(Rule.BAD_ORDER, file, () -> place.apply(here), code, at, fault);
        } else if (amount == 0) {
          findings.add(Rule.ORDER_WITHOUT_AMOUNT, file, () -> place.apply(here), code, at, amount);
        }
      }
    }

    private static @Nullable String fault(
        @Nullable String instrument, long time, double amount, @Nullable String side) {
      if (instrument == null) {
        return "no instrument";
      }
      if (time == Table.Times.MISSING) {
        return "no time";
      }
      if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
        return "amount " + amount;
      }
      return isSide(side) ? null : "side " + side;
    }

    private static boolean isSide(@Nullable String text) {
      if (text == null) {
        return false;
      }
      return switch (text.strip()) {
        case "0", "1", "0.0", "1.0" -> true;
        default -> {
          try {
            Side.parse(text);
            yield true;
          } catch (IllegalArgumentException e) {
            yield false;
          }
        }
      };
    }
  }
}
