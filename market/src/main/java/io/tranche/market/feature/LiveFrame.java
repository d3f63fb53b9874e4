package io.tranche.market.feature;

import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bars of earlier days and of a day in progress, on their own calendar: a series whose last
/// day fills up tick by tick.
public final class LiveFrame {

  /// Ticks of one second each.
  public static final int MOST_TICKS = BarTime.SECONDS_A_DAY;

  /// About ten thousand years.
  private static final long FARTHEST = 1L << 38;

  /// A series must have a field, even where only times are needed.
  private static final List<String> NO_FIELDS = List.of("");

  private final int fields;
  private final float[][] columns;
  private final BarSeries series;
  private final int begin; // the row of tick 0
  private final @Nullable Adjustment adjustment;
  private int ticks;

  private LiveFrame(
      String instrument,
      List<String> fields,
      List<LocalDate> dates,
      List<Bars> days,
      Bars last,
      int plannedTicks,
      DayRule rule) {
    var times = new ArrayList<long[]>();
    days.forEach(day -> times.add(day.times));
    times.add(last.times);
    Calendar calendar = Calendar.ofDays(width(last.times), dates, times, plannedTicks);
    this.fields = fields.size();
    this.adjustment = Adjustment.of(fields, rule);
    this.columns = new float[Math.max(fields.size(), 1)][calendar.size()];
    this.begin = calendar.dayStart(days.size());
    for (int field = 0; field < columns.length; field++) {
      Arrays.fill(columns[field], Float.NaN);
      for (int day = 0; day < days.size() && field < fields.size(); day++) {
        float[] values = days.get(day).columns[field];
        System.arraycopy(values, 0, columns[field], calendar.dayStart(day), values.length);
      }
    }
    this.series =
        BarSeries.wrap(instrument, calendar, 0, fields.isEmpty() ? NO_FIELDS : fields, columns);
  }

  /// Begins a day after the last `most` of `earlier`.
  ///
  /// @throws DataException if an earlier day lacks a field
  public static LiveFrame open(
      String instrument,
      List<String> fields,
      LocalDate date,
      long[] times,
      int plannedTicks,
      List<DayFrame> earlier,
      int most,
      DayRule rule) {
    var dates = new ArrayList<LocalDate>();
    var days = new ArrayList<Bars>();
    Adjustment adjustment = Adjustment.of(fields, rule);
    List<DayFrame> taken =
        rule.onlyTraded() ? earlier.stream().filter(DayFrame::hasBars).toList() : earlier;
    for (DayFrame day : taken.subList(Math.max(0, taken.size() - most), taken.size())) {
      Bars bars = Bars.of(day, fields);
      if (adjustment != null) {
        adjustment.apply(bars.columns, 0, bars.times.length);
      }
      dates.add(day.date());
      days.add(bars.filledUp(rule.ticks()));
    }
    dates.add(date);
    var today = new Bars(times.clone(), new float[0][]);
    return new LiveFrame(instrument, fields, dates, days, today, plannedTicks, rule);
  }

  /// Reads what [#save] writes.
  ///
  /// @param most how many earlier days there may be
  public static LiveFrame restore(List<String> fields, int most, DayRule rule, DataInput in)
      throws IOException {
    String instrument = in.readUTF();
    int count = within("earlier days", in.readInt(), 0, most);
    var dates = new ArrayList<LocalDate>();
    var days = new ArrayList<Bars>();
    for (int day = 0; day < count; day++) {
      dates.add(LocalDate.ofEpochDay(in.readInt()));
      days.add(Bars.read(fields.size(), in));
    }
    dates.add(LocalDate.ofEpochDay(in.readInt()));
    var times = Bars.read(0, in);
    int plannedTicks = within("planned ticks", in.readInt(), 1, MOST_TICKS);
    int ticks = within("ticks", in.readInt(), 0, times.times.length);
    try {
      var live = new LiveFrame(instrument, fields, dates, days, times, plannedTicks, rule);
      float[] bar = new float[fields.size()];
      while (live.ticks < ticks) {
        for (int field = 0; field < bar.length; field++) {
          bar[field] = in.readFloat();
        }
        live.put(bar, 0);
      }
      return live;
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  public void save(DataOutput out) throws IOException {
    Calendar calendar = series.calendar();
    out.writeUTF(series.instrument());
    out.writeInt(number());
    for (int day = 0; day <= number(); day++) {
      int from = calendar.dayStart(day);
      int to = calendar.dayEnd(day);
      out.writeInt((int) calendar.date(day).toEpochDay());
      out.writeInt(to - from);
      for (int bar = from; bar < to; bar++) {
        out.writeLong(calendar.time(bar));
      }
      for (int field = 0; field < fields && day < number(); field++) {
        for (int row = from; row < to; row++) {
          out.writeFloat(columns[field][row]);
        }
      }
    }
    out.writeInt(calendar.plannedTicks());
    out.writeInt(ticks);
    for (int row = begin; row < begin + ticks; row++) {
      for (int field = 0; field < fields; field++) {
        out.writeFloat(columns[field][row]);
      }
    }
  }

  public static int within(String what, int value, int from, int to) throws IOException {
    if (value < from || value > to) {
      throw new IOException("%s must be in [%d, %d], was %d".formatted(what, from, to, value));
    }
    return value;
  }

  /// Takes the bar of the next tick.
  ///
  /// @throws IllegalStateException if the day is over
  public void append(float[] bar, int at) {
    if (begin + ticks == columns[0].length) {
      throw new IllegalStateException("day must not be over, was at tick " + ticks);
    }
    put(bar, at);
    if (adjustment != null) {
      adjustment.apply(columns, begin + ticks - 1, begin + ticks);
    }
  }

  /// Takes a bar that is adjusted already.
  private void put(float[] bar, int at) {
    for (int field = 0; field < fields; field++) {
      columns[field][begin + ticks] = bar[at + field];
    }
    ticks++;
  }

  /// Returns how many bars were appended.
  public int ticks() {
    return ticks;
  }

  /// Returns the earlier days and this one, to which bars are added.
  public BarSeries series() {
    return series;
  }

  /// Returns the calendar's number of the day, which is also how many earlier days there are.
  public int number() {
    return series.calendar().days() - 1;
  }

  public DayFrame frame() {
    DayFrame frame = series.day(number());
    if (frame == null) {
      throw new IllegalStateException("series must end with the day, was " + series.calendar());
    }
    return frame;
  }

  /// Returns `times` with as many more, a second apart, as make `ticks`.
  public static long[] filledUp(long[] times, int ticks) {
    long[] filled = Arrays.copyOf(times, Math.max(ticks, times.length));
    for (int tick = times.length; tick < filled.length; tick++) {
      filled[tick] = filled[tick - 1] + 1;
    }
    return filled;
  }

  /// The shortest distance from one bar to the next.
  private static Frequency width(long[] times) {
    long width = MOST_TICKS;
    for (int i = 1; i < times.length; i++) {
      width = Math.min(width, times[i] - times[i - 1]);
    }
    return new Frequency((int) Math.max(width, 1));
  }

  /// One day while it is read.
  private static final class Bars {

    private final long[] times;
    private final float[][] columns;

    Bars(long[] times, float[][] columns) {
      this.times = times;
      this.columns = columns;
    }

    static Bars of(DayFrame day, List<String> fields) {
      long[] times = new long[day.ticks()];
      for (int tick = 0; tick < times.length; tick++) {
        times[tick] = day.time(tick);
      }
      float[][] columns = new float[fields.size()][times.length];
      for (int i = 0; i < columns.length; i++) {
        int field = day.fieldIndex(fields.get(i));
        if (field < 0) {
          throw new DataException(
              "%s %s".formatted(day.instrument(), day.date()),
              "a field " + fields.get(i),
              day.fields());
        }
        day.copy(field, columns[i], 0);
      }
      return new Bars(times, columns);
    }

    /// Returns these with missing bars at the end, a second apart: earlier than the next day.
    Bars filledUp(int ticks) {
      if (times.length >= ticks) {
        return this;
      }
      float[][] filled = new float[columns.length][];
      for (int field = 0; field < filled.length; field++) {
        filled[field] = Arrays.copyOf(columns[field], ticks);
        Arrays.fill(filled[field], times.length, ticks, Float.NaN);
      }
      return new Bars(LiveFrame.filledUp(times, ticks), filled);
    }

    static Bars read(int fields, DataInput in) throws IOException {
      long[] times = new long[within("ticks", in.readInt(), 1, MOST_TICKS)];
      for (int tick = 0; tick < times.length; tick++) {
        times[tick] = in.readLong();
        if (times[tick] < -FARTHEST || times[tick] > FARTHEST) {
          throw new IOException("times must be seconds since 1970, was " + times[tick]);
        }
      }
      float[][] columns = new float[fields][times.length];
      for (float[] column : columns) {
        for (int tick = 0; tick < column.length; tick++) {
          column[tick] = in.readFloat();
        }
      }
      return new Bars(times, columns);
    }
  }
}
