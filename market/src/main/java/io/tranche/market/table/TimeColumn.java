package io.tranche.market.table;

import io.tranche.market.BarTime;
import io.tranche.market.Table;
import java.time.DateTimeException;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The times of a table, in one of three forms: a column of times; a column of numbers that count
/// seconds, milli-, micro- or nanoseconds since 1970 in UTC; or the columns `date` and `time`, the
/// latter a time of day such as 9:30 or 09:30:00.
///
/// @param columns of the table, one or two
public record TimeColumn(Table.Times times, List<String> columns) {

  private static final String DATE = "date";
  private static final String TIME = "time";

  // Counts of the years 2001 to 2286, which do not overlap between units.
  private static final double FIRST_COUNT = 1e9;
  private static final double LAST_COUNT = 1e10;
  private static final double[] UNITS = {1, 1e3, 1e6, 1e9};
  private static final double ROUNDING = 1e-6; // of a count of nanoseconds in a double

  /// Returns the columns of `names` that may hold times together; empty if there is none.
  public static List<String> candidates(Iterable<String> names, ColumnMapping mapping) {
    String column = mapping.timeIn(names);
    if (column == null) {
      return List.of();
    }
    var found = new ArrayList<>(List.of(column));
    String date = named(names, DATE);
    if (mapping.timeColumn() == null && date != null && column.equals(named(names, TIME))) {
      found.addFirst(date);
    }
    return List.copyOf(found);
  }

  /// Returns the times of a table; null if its time column holds something else.
  public static @Nullable TimeColumn of(Table table, ColumnMapping mapping) {
    List<String> candidates = candidates(table.names(), mapping);
    if (candidates.isEmpty()) {
      return null;
    }
    String column = candidates.getLast();
    return switch (table.column(column)) {
      case Table.Times times -> new TimeColumn(times, List.of(column));
      case Table.Numbers counts -> with(counted(counts), List.of(column));
      case Table.Texts clock when candidates.size() == 2 ->
          with(joined(table.column(candidates.getFirst()), clock), candidates);
      case null, default -> null;
    };
  }

  private static @Nullable TimeColumn with(Table.@Nullable Times times, List<String> columns) {
    return times == null ? null : new TimeColumn(times, columns);
  }

  private static Table.@Nullable Times counted(Table.Numbers counts) {
    double unit = 0;
    long[] times = new long[counts.size()];
    for (int row = 0; row < times.length; row++) {
      double count = counts.value(row);
      if (Double.isNaN(count)) {
        times[row] = Table.Times.MISSING;
        continue;
      }
      unit = unit == 0 ? unit(count) : unit;
      double second = Math.rint(count / unit);
      boolean isCount = second >= FIRST_COUNT && second < LAST_COUNT;
      if (!isCount || Math.abs(count / unit - second) > ROUNDING) {
        return null;
      }
      times[row] = (long) second;
    }
    return new Table.Times(times, true);
  }

  private static double unit(double count) {
    for (double unit : UNITS) {
      if (count / unit >= FIRST_COUNT && count / unit < LAST_COUNT) {
        return unit;
      }
    }
    return 1;
  }

  private static Table.@Nullable Times joined(Table.@Nullable Column days, Table.Texts clock) {
    if (!(days instanceof Table.Times dates) || dates.areInstants()) {
      return null;
    }
    int[] seconds = Arrays.stream(clock.distinct()).mapToInt(TimeColumn::secondOfDay).toArray();
    long[] joined = new long[clock.size()];
    for (int row = 0; row < joined.length; row++) {
      int second = clock.code(row) < 0 ? -1 : seconds[clock.code(row)];
      long day = dates.value(row);
      if (second < 0 || day == Table.Times.MISSING || BarTime.secondOfDay(day) != 0) {
        return null;
      }
      joined[row] = day + second;
    }
    return new Table.Times(joined);
  }

  /// Returns -1 if the text is no time of day in whole seconds.
  private static int secondOfDay(String text) {
    String padded = text.strip().indexOf(':') == 1 ? "0" + text.strip() : text.strip();
    try {
      LocalTime time = LocalTime.parse(padded);
      return time.equals(time.truncatedTo(ChronoUnit.SECONDS)) ? time.toSecondOfDay() : -1;
    } catch (DateTimeException _) {
      return -1;
    }
  }

  private static @Nullable String named(Iterable<String> names, String wanted) {
    for (String name : names) {
      if (name.strip().equalsIgnoreCase(wanted)) {
        return name;
      }
    }
    return null;
  }
}
