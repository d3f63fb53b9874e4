package io.tranche.market.table;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Bars that were read from tables, all of them in memory in single precision.
///
/// The calendar is the union of all bar times; a row that is absent is a missing bar.
public final class TableBars implements BarSource {

  // Instruments that share no times would fill memory with missing bars.
  private static final long MAX_MISSING_FOR_EACH = 100;
  private static final long FREE_VALUES = 1 << 24;

  private final Calendar calendar;
  private final List<String> instruments;
  private final List<String> fields;
  private final Map<String, BarSeries> series;
  private final long roundedValues;

  private TableBars(
      Calendar calendar, List<String> fields, Map<String, BarSeries> series, long roundedValues) {
    this.calendar = calendar;
    this.instruments = List.copyOf(series.keySet());
    this.fields = fields;
    this.series = series;
    this.roundedValues = roundedValues;
  }

  /// Makes bars of one table.
  ///
  /// @param file named in messages, as is `format`'s word for a row
  /// @throws DataException if times are not increasing an instrument, bar widths are mixed, or a
  ///   value is infinite
  public static TableBars of(Path file, TableFormat format, Table table, ColumnMapping mapping) {
    return of(List.of(BarTable.of(file, format, table, mapping)), mapping);
  }

  static TableBars of(List<BarTable> tables, ColumnMapping mapping) {
    var fields = new LinkedHashSet<String>();
    var byInstrument = new LinkedHashMap<String, List<BarTable.Rows>>();
    for (BarTable table : tables) {
      fields.addAll(table.fields().keySet());
      for (BarTable.Rows rows : table.byInstrument()) {
        byInstrument.computeIfAbsent(rows.instrument(), _ -> new ArrayList<>()).add(rows);
      }
    }
    return new Assembly(List.copyOf(fields), byInstrument, mapping).bars();
  }

  @Override
  public Calendar calendar() {
    return calendar;
  }

  @Override
  public List<String> instruments() {
    return instruments;
  }

  @Override
  public List<String> fields() {
    return fields;
  }

  @Override
  public BarSeries series(String instrument) {
    BarSeries found = series.get(instrument);
    if (found == null) {
      throw new DataException(
          "instrument", "one of the %d instruments".formatted(instruments.size()), instrument);
    }
    return found;
  }

  /// Returns how many numbers were read that a float cannot tell apart from their neighbours: what
  /// comes out of these bars is not the decimal that went in.
  ///
  /// Tables that were read in single precision count as exact.
  public long roundedValues() {
    return roundedValues;
  }

  /// The work of turning rows into series, with its buffers.
  private static final class Assembly {

    private final List<String> fields;
    private final Map<String, List<BarTable.Rows>> byInstrument;
    private final ColumnMapping mapping;
    private long[] times = new long[1 << 12]; // of the instrument at hand
    private int length;
    private long rounded;

    Assembly(
        List<String> fields, Map<String, List<BarTable.Rows>> byInstrument, ColumnMapping mapping) {
      this.fields = fields;
      this.byInstrument = byInstrument;
      this.mapping = mapping;
    }

    TableBars bars() {
      var union = new TimeUnion();
      var widths = new BarWidths();
      for (List<BarTable.Rows> parts : byInstrument.values()) {
        gather(parts);
        checkIncreasing(parts);
        union.add(times, length);
        widths.add(times, length);
      }
      Frequency frequency = frequency(widths);
      Calendar calendar = Calendar.of(frequency, union.sorted(), mapping.session());
      checkDensity(calendar);
      var series = LinkedHashMap.<String, BarSeries>newLinkedHashMap(byInstrument.size());
      byInstrument.forEach(
          (instrument, parts) -> series.put(instrument, series(instrument, parts, calendar)));
      return new TableBars(calendar, fields, series, rounded);
    }

    private void gather(List<BarTable.Rows> parts) {
      length = 0;
      for (BarTable.Rows rows : parts) {
        int size = rows.size();
        if (times.length - length < size) {
          times = Arrays.copyOf(times, Math.max(length + size, 2 * times.length));
        }
        Table.Times column = rows.table().times();
        for (int i = 0; i < size; i++) {
          times[length + i] = column.value(rows.row(i));
        }
        length += size;
      }
    }

    private void checkIncreasing(List<BarTable.Rows> parts) {
      for (int i = 1; i < length; i++) {
        if (times[i] <= times[i - 1]) {
          throw new DataException(
              where(parts, i),
              times[i] == times[i - 1] ? "one bar a time" : "a time after the bar before",
              times[i] == times[i - 1] ? "a duplicate" : "an earlier one");
        }
      }
    }

    private Frequency frequency(BarWidths widths) {
      Frequency frequency = mapping.frequency();
      if (frequency == null) {
        frequency = widths.mostCommon();
      }
      if (frequency == null) {
        throw new DataException(
            where(byInstrument.values().iterator().next(), 0),
            "a mapping with a frequency",
            "too few bars to see one");
      }
      for (List<BarTable.Rows> parts : byInstrument.values()) {
        gather(parts);
        int misfit = BarWidths.firstMisfit(times, length, frequency);
        if (misfit >= 0) {
          throw new DataException(
              where(parts, misfit), "bars of one width, " + frequency, "mixed bar widths");
        }
      }
      return frequency;
    }

    private void checkDensity(Calendar calendar) {
      long rows = 0;
      long bars = 0;
      for (List<BarTable.Rows> parts : byInstrument.values()) {
        gather(parts);
        rows += length;
        bars +=
            calendar.dayEnd(calendar.dayOfBar(calendar.floor(times[length - 1])))
                - calendar.dayStart(calendar.dayOfBar(calendar.floor(times[0])));
      }
      if (bars * fields.size() > FREE_VALUES && bars / MAX_MISSING_FOR_EACH > rows) {
        throw new DataException(
            byInstrument.values().iterator().next().getFirst().table().place(0),
            "instruments that mostly share their bar times",
            "%d bars on the common calendar for %d rows".formatted(bars, rows));
      }
    }

    private BarSeries series(String instrument, List<BarTable.Rows> parts, Calendar calendar) {
      gather(parts);
      int first = calendar.floor(times[0]);
      int firstDay = calendar.dayOfBar(first);
      int base = calendar.dayStart(firstDay);
      int lastDay = calendar.dayOfBar(calendar.floor(times[length - 1]));
      int size = calendar.dayEnd(lastDay) - base;
      int[] targets = new int[length];
      int index = first - 1;
      for (int i = 0; i < length; i++) {
        index++;
        if (calendar.time(index) != times[i]) {
          index = calendar.floor(times[i]);
        }
        targets[i] = index - base;
      }
      float[][] columns = new float[fields.size()][size];
      for (int field = 0; field < columns.length; field++) {
        Arrays.fill(columns[field], Float.NaN);
        int from = 0;
        for (BarTable.Rows rows : parts) {
          scatter(rows, fields.get(field), targets, from, columns[field]);
          from += rows.size();
        }
      }
      return BarSeries.wrap(instrument, calendar, firstDay, fields, columns);
    }

    /// Puts one field of `rows` where `targets` says, which begins with them at `from`.
    private void scatter(BarTable.Rows rows, String field, int[] targets, int from, float[] into) {
      switch (rows.table().fields().get(field)) {
        case Table.Singles singles -> {
          for (int i = 0; i < rows.size(); i++) {
            float value = singles.value(rows.row(i));
            if (Float.isInfinite(value)) {
              throw infinite(rows, i, field, value);
            }
            into[targets[from + i]] = value;
          }
        }
        case Table.Numbers numbers -> {
          for (int i = 0; i < rows.size(); i++) {
            double value = numbers.value(rows.row(i));
            float single = (float) value;
            if (Float.isInfinite(single)) {
              throw infinite(rows, i, field, value);
            }
            rounded += BarCells.survives(value, single) ? 0 : 1;
            into[targets[from + i]] = single;
          }
        }
        case null, default -> {} // this file has no such field: NaN, as for any missing value
      }
    }

    private static DataException infinite(BarTable.Rows rows, int i, String field, double value) {
      return new DataException(
          rows.where(i) + ", field " + field, "a number within the range of a float", value);
    }

    private static String where(List<BarTable.Rows> parts, int index) {
      int i = index;
      for (BarTable.Rows rows : parts) {
        if (i < rows.size()) {
          return rows.where(i);
        }
        i -= rows.size();
      }
      throw new IllegalArgumentException("index must be within the rows, was " + index);
    }
  }
}
