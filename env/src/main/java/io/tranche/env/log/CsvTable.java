package io.tranche.env.log;

import java.io.IOException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Records as pandas writes them: `DataFrame.from_records(records).to_csv(index=False)`.
///
/// Columns are in the order of their first appearance; missing cells and NaN are empty. A column of
/// times has as many digits as its most precise value needs, and prints dates if all are midnight.
public final class CsvTable {

  private CsvTable() {}

  static boolean isSupported(Object value) {
    return value instanceof Double || value instanceof String || value instanceof LocalDateTime;
  }

  /// Writes a header and one line per record. Cells are doubles, texts and times.
  public static void write(List<Map<String, Object>> records, Appendable out) throws IOException {
    var columns = new LinkedHashMap<String, Function<Object, String>>();
    for (var record : records) {
      record.keySet().forEach(name -> columns.computeIfAbsent(name, _ -> cells(name, records)));
    }
    row(List.copyOf(columns.keySet()), out);
    for (var record : columns.isEmpty() ? List.<Map<String, Object>>of() : records) {
      var cells = new ArrayList<String>();
      columns.forEach(
          (name, cell) -> {
            Object value = record.get(name);
            cells.add(value == null ? "" : cell.apply(value));
          });
      row(cells, out);
    }
  }

  /// Returns the formatter for the cells of a column.
  private static Function<Object, String> cells(String name, List<Map<String, Object>> records) {
    List<Object> present =
        records.stream().map(record -> record.get(name)).filter(Objects::nonNull).toList();
    var times = new ArrayList<LocalDateTime>();
    for (Object value : present) {
      if (value instanceof LocalDateTime time) {
        times.add(time);
      } else if (!isNaN(value)) {
        return CsvTable::cell;
      }
    }
    boolean isDates =
        times.stream().allMatch(time -> time.toLocalTime().equals(LocalTime.MIDNIGHT));
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern(isDates ? "uuuu-MM-dd" : "uuuu-MM-dd HH:mm:ss" + digits(times));
    return value -> value instanceof LocalDateTime time ? time.format(format) : "";
  }

  /// Returns the pattern for the fractions of a second that `times` need.
  private static String digits(List<LocalDateTime> times) {
    int[] nanos = times.stream().mapToInt(time -> time.get(ChronoField.NANO_OF_SECOND)).toArray();
    if (Arrays.stream(nanos).anyMatch(nano -> nano % 1_000 != 0)) {
      return ".SSSSSSSSS";
    }
    if (Arrays.stream(nanos).anyMatch(nano -> nano % 1_000_000 != 0)) {
      return ".SSSSSS";
    }
    return Arrays.stream(nanos).anyMatch(nano -> nano != 0) ? ".SSS" : "";
  }

  private static boolean isNaN(Object value) {
    return value instanceof Double number && number.isNaN();
  }

  /// Returns a cell of a column of mixed types, where each value prints as it would alone.
  private static String cell(Object value) {
    return switch (value) {
      case Double number -> number.isNaN() ? "" : PythonFloat.repr(number);
      case LocalDateTime time -> {
        // Python prints microseconds or nanoseconds, never milliseconds.
        String digits = digits(List.of(time));
        String known = digits.equals(".SSS") ? ".SSSSSS" : digits;
        yield time.format(DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss" + known));
      }
      default -> value.toString();
    };
  }

  private static void row(List<String> cells, Appendable out) throws IOException {
    // A single empty cell is quoted, because an empty line would not be read back as a row.
    out.append(
        cells.equals(List.of(""))
            ? "\"\""
            : cells.stream().map(CsvTable::quoted).collect(Collectors.joining(",")));
    out.append('\n');
  }

  private static String quoted(String cell) {
    // Unlike pandas, which does not quote carriage returns and cannot read them back.
    boolean isSpecial = cell.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return isSpecial ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
  }
}
