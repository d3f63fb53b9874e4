package io.tranche.market.table;

import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Table;
import io.tranche.market.session.BarLabel;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Turns the rows of tables into series on one calendar.
final class BarAssembly {

  // Limit on missing bars: instruments that share no times would fill memory with them.
  private static final long MAX_MISSING_FOR_EACH = 100;
  private static final long FREE_VALUES = 1 << 24;

  // The largest calendar that is accepted; no market has that many bars.
  private static final long FIRST_TIME = BarTime.of(LocalDate.of(1, 1, 1));
  private static final long END_TIME = BarTime.of(LocalDate.of(10_000, 1, 1));

  /// The rows of one instrument, from one table or several.
  private record Instrument(String name, List<BarTable.Rows> parts) {

    int size() {
      int size = 0;
      for (BarTable.Rows rows : parts) {
        size += rows.size();
      }
      return size;
    }

    long firstTime() {
      return parts.getFirst().time(0);
    }

    long lastTime() {
      return parts.getLast().time(parts.getLast().size() - 1);
    }

    /// Fills `times`, which is large enough, and returns their number.
    int gather(long[] times) {
      int length = 0;
      for (BarTable.Rows rows : parts) {
        rows.copyTimes(times, length);
        length += rows.size();
      }
      return length;
    }

    /// Returns file and row, for messages.
    String place(int index) {
      return at(index, (rows, i) -> rows.table().place(rows.row(i)));
    }

    /// Returns file, row, instrument and time, for messages.
    String where(int index) {
      return at(index, BarTable.Rows::where);
    }

    private String at(int index, BiFunction<BarTable.Rows, Integer, String> words) {
      int i = index;
      for (BarTable.Rows rows : parts) {
        if (i < rows.size()) {
          return words.apply(rows, i);
        }
        i -= rows.size();
      }
      throw new IllegalArgumentException("index must be within the rows, was " + index);
    }
  }

  private final List<String> fields;
  private final List<Instrument> instruments;
  private final ColumnMapping mapping;
  private final LongAdder rounded = new LongAdder();

  BarAssembly(
      List<String> fields, Map<String, List<BarTable.Rows>> byInstrument, ColumnMapping mapping) {
    this.fields = fields;
    this.instruments =
        byInstrument.entrySet().stream()
            .map(entry -> new Instrument(entry.getKey(), entry.getValue()))
            .toList();
    this.mapping = mapping;
  }

  TableBars bars(boolean instants) {
    List<List<Instrument>> groups = byTimes();
    var union = new TimeUnion();
    var widths = new BarWidths();
    long[] times = new long[longest()];
    for (List<Instrument> group : groups) {
      int length = group.getFirst().gather(times);
      checkTimes(group.getFirst(), times, length);
      union.add(times, length);
      widths.add(times, length, group.size());
    }
    Frequency frequency = frequency(widths);
    if (mapping.reading().label() == BarLabel.START) { // the ends of short bars are closer
      for (List<Instrument> group : groups) {
        checkWidth(group.getFirst(), times, frequency);
      }
    }
    Calendar calendar =
        Calendar.of(frequency, union.sorted(), instants ? null : mapping.rawSession());
    checkDensity(calendar);
    return new TableBars(calendar, instants, fields, allSeries(calendar), rounded.sum());
  }

  private int longest() {
    return instruments.stream().mapToInt(Instrument::size).max().orElse(0);
  }

  /// Groups neighbours with the same times, which most have, so that these times are examined once.
  private List<List<Instrument>> byTimes() {
    var groups = new ArrayList<List<Instrument>>();
    long[] times = new long[longest()];
    long[] previous = new long[times.length];
    int previousLength = -1;
    for (Instrument instrument : instruments) {
      int length = instrument.gather(times);
      if (length != previousLength
          || !Arrays.equals(times, 0, length, previous, 0, previousLength)) {
        groups.add(new ArrayList<>());
        long[] spare = previous;
        previous = times;
        previousLength = length;
        times = spare;
      }
      groups.getLast().add(instrument);
    }
    return groups;
  }

  private static void checkTimes(Instrument instrument, long[] times, int length) {
    for (int i = 0; i < length; i++) {
      if (times[i] < FIRST_TIME || times[i] >= END_TIME) {
        throw new DataException(
            instrument.place(i),
            "a time within the years 1 to 9999",
            times[i] == Table.Times.MISSING ? "none" : times[i] + " s");
      }
      if (i > 0 && times[i] <= times[i - 1]) {
        boolean duplicate = times[i] == times[i - 1];
        throw new DataException(
            instrument.where(i),
            duplicate ? "one bar per time" : "a time after that of the previous bar",
            duplicate ? "a duplicate" : "an earlier one");
      }
    }
  }

  private Frequency frequency(BarWidths widths) {
    Frequency given = mapping.frequency();
    Frequency frequency = given == null ? widths.mostCommon() : given;
    if (frequency == null) {
      throw new DataException(
          instruments.getFirst().where(0), "a mapping with a frequency", "too few bars to see one");
    }
    return frequency;
  }

  private static void checkWidth(Instrument instrument, long[] times, Frequency frequency) {
    int misfit = BarWidths.firstMisfit(times, instrument.gather(times), frequency);
    if (misfit >= 0) {
      throw new DataException(
          instrument.where(misfit), "bars of one width, " + frequency, "mixed bar widths");
    }
  }

  private void checkDensity(Calendar calendar) {
    long rows = 0;
    long bars = 0;
    for (Instrument instrument : instruments) {
      rows += instrument.size();
      bars +=
          calendar.dayEnd(dayOf(calendar, instrument.lastTime()))
              - calendar.dayStart(dayOf(calendar, instrument.firstTime()));
    }
    if (bars * fields.size() > FREE_VALUES && bars / MAX_MISSING_FOR_EACH > rows) {
      throw new DataException(
          instruments.getFirst().where(0),
          "instruments that mostly share their bar times",
          "%d bars on the common calendar for %d rows".formatted(bars, rows));
    }
  }

  private static int dayOf(Calendar calendar, long time) {
    return calendar.dayOfBar(calendar.indexOf(time));
  }

  /// Builds all series, shared among processors; the first bad instrument is the one reported.
  private Map<String, BarSeries> allSeries(Calendar calendar) {
    var built = new @Nullable BarSeries[instruments.size()];
    var faults = new @Nullable DataException[instruments.size()];
    IntStream.range(0, built.length)
        .parallel()
        .forEach(
            i -> {
              try {
                built[i] = series(instruments.get(i), calendar);
              } catch (DataException e) {
                faults[i] = e;
              }
            });
    var series = LinkedHashMap.<String, BarSeries>newLinkedHashMap(built.length);
    for (int i = 0; i < built.length; i++) {
      BarSeries one = built[i];
      DataException fault = faults[i];
      if (fault != null) {
        throw fault;
      }
      if (one != null) {
        series.put(one.instrument(), one);
      }
    }
    return series;
  }

  private BarSeries series(Instrument instrument, Calendar calendar) {
    int firstDay = dayOf(calendar, instrument.firstTime());
    int base = calendar.dayStart(firstDay);
    int size = calendar.dayEnd(dayOf(calendar, instrument.lastTime())) - base;
    // As many increasing times as there are bars: each row is its bar.
    float[][] columns =
        instrument.size() == size && instrument.parts().size() == 1
            ? copied(instrument.parts().getFirst())
            : null;
    if (columns == null) {
      columns = scattered(instrument, targets(instrument, calendar, base), size);
    }
    return BarSeries.wrap(instrument.name(), calendar, firstDay, fields, columns);
  }

  /// Returns the columns of rows that are bars already, or null if they are not floats in order.
  private float @Nullable [][] copied(BarTable.Rows rows) {
    float[][] columns = new float[fields.size()][];
    for (int field = 0; field < columns.length; field++) {
      Table.Column column = rows.table().fields().get(fields.get(field));
      if (!(column instanceof Table.Singles singles) || !rows.areInOrder()) {
        return null;
      }
      float[] values = new float[rows.size()];
      singles.copy(rows.from(), values, 0, values.length);
      for (int i = 0; i < values.length; i++) {
        if (Float.isInfinite(values[i])) {
          throw infinite(rows, i, fields.get(field), values[i]);
        }
      }
      columns[field] = values;
    }
    return columns;
  }

  private float[][] scattered(Instrument instrument, int[] targets, int size) {
    float[][] columns = new float[fields.size()][size];
    for (int field = 0; field < columns.length; field++) {
      Arrays.fill(columns[field], Float.NaN);
      int from = 0;
      for (BarTable.Rows rows : instrument.parts()) {
        scatter(rows, fields.get(field), targets, from, columns[field]);
        from += rows.size();
      }
    }
    return columns;
  }

  /// Returns for each row of the instrument its bar, counted from calendar index `base`.
  private static int[] targets(Instrument instrument, Calendar calendar, int base) {
    int[] targets = new int[instrument.size()];
    int next = 0;
    int index = base - 1;
    for (BarTable.Rows rows : instrument.parts()) {
      for (int i = 0; i < rows.size(); i++) {
        long time = rows.time(i);
        index++; // most often the bar after the one before
        if (calendar.time(index) != time) {
          index = calendar.indexOf(time);
        }
        targets[next++] = index - base;
      }
    }
    return targets;
  }

  /// Copies one field of `rows` to `targets`, whose entries for them begin at `from`.
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
        int lost = 0;
        for (int i = 0; i < rows.size(); i++) {
          double value = numbers.value(rows.row(i));
          float single = (float) value;
          if (Float.isInfinite(single)) {
            throw infinite(rows, i, field, value);
          }
          lost += BarCells.survives(value, single) ? 0 : 1;
          into[targets[from + i]] = single;
        }
        rounded.add(lost);
      }
      case null, default -> {} // this file has no such field: NaN, as for any missing value
    }
  }

  private static DataException infinite(BarTable.Rows rows, int i, String field, double value) {
    return new DataException(
        rows.where(i) + ", field " + field, "a number within the range of a float", value);
  }

  /// The distinct times of many series.
  ///
  /// Hot path: a time seen before costs one probe.
  private static final class TimeUnion {

    private static final long EMPTY = Long.MIN_VALUE;

    private long[] slots = new long[1 << 12];
    private int size;

    TimeUnion() {
      Arrays.fill(slots, EMPTY);
    }

    void add(long[] times, int length) {
      for (int i = 0; i < length; i++) {
        int slot = slot(slots, times[i]);
        if (slots[slot] == EMPTY) {
          slots[slot] = times[i];
          if (++size * 2 > slots.length) {
            grow();
          }
        }
      }
    }

    long[] sorted() {
      long[] sorted = new long[size];
      int next = 0;
      for (long time : slots) {
        if (time != EMPTY) {
          sorted[next++] = time;
        }
      }
      Arrays.sort(sorted);
      return sorted;
    }

    private void grow() {
      long[] larger = new long[slots.length * 2];
      Arrays.fill(larger, EMPTY);
      for (long time : slots) {
        if (time != EMPTY) {
          larger[slot(larger, time)] = time;
        }
      }
      slots = larger;
    }

    private static int slot(long[] slots, long time) {
      int mask = slots.length - 1;
      int slot = (int) ((time * 0x9E37_79B9_7F4A_7C15L) >>> 33) & mask;
      while (slots[slot] != EMPTY && slots[slot] != time) {
        slot = (slot + 1) & mask;
      }
      return slot;
    }
  }
}
