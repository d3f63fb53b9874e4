package io.tranche.market.feature.pipeline;

import io.tranche.market.BarSeries;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.expression.Expression;
import io.tranche.market.expression.evaluation.Column;
import io.tranche.market.expression.evaluation.ExpressionPlan;
import io.tranche.market.feature.Adjustment;
import io.tranche.market.feature.LiveFrame;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bars of one instrument on days that all have the ticks of its session: a half day ends with
/// missing bars, and days without a bar are not there. So the same tick of the day before is always
/// as many bars away. [io.tranche.market.feature.DayRule] says the same of a day in progress.
final class WholeDays {

  private final BarSeries bars;
  private final Calendar own;
  private final int[] days; // of `own`
  private final int ticks;

  private WholeDays(BarSeries bars, Calendar own, int[] days, int ticks) {
    this.bars = bars;
    this.own = own;
    this.days = days;
    this.ticks = ticks;
  }

  /// Returns the days up to `lastDay` of the series' calendar; null if there are none.
  ///
  /// @throws DataException if a day has more than `ticks` bars
  static @Nullable WholeDays of(BarSeries series, List<String> fields, int lastDay, int ticks) {
    Calendar own = series.calendar();
    var dates = new ArrayList<LocalDate>();
    var times = new ArrayList<long[]>();
    var days = new ArrayList<Integer>();
    for (int day = series.firstDay(); day < series.endDay() && day <= lastDay; day++) {
      DayFrame frame = series.day(day);
      if (frame != null && frame.hasBars()) {
        if (frame.ticks() > ticks) {
          throw new DataException(
              "features of %s on %s".formatted(series.instrument(), frame.date()),
              "at most the %d ticks of its session".formatted(ticks),
              frame.ticks());
        }
        days.add(day);
        dates.add(own.date(day));
        times.add(LiveFrame.filledUp(own.times(own.dayStart(day), own.dayEnd(day)), ticks));
      }
    }
    if (days.isEmpty()) {
      return null;
    }
    float[][] columns = new float[fields.size()][days.size() * ticks];
    for (int field = 0; field < columns.length; field++) {
      Arrays.fill(columns[field], Float.NaN);
      int column = series.fieldIndex(fields.get(field));
      for (int i = 0; i < days.size() && column >= 0; i++) {
        int row = own.dayStart(days.get(i)) - series.firstBar();
        int length = own.dayEnd(days.get(i)) - own.dayStart(days.get(i));
        series.copy(column, row, columns[field], i * ticks, length);
      }
    }
    Calendar calendar = Calendar.ofDays(own.frequency(), dates, times);
    return new WholeDays(
        BarSeries.wrap(series.instrument(), calendar, 0, fields, columns),
        own,
        days.stream().mapToInt(Integer::intValue).toArray(),
        ticks);
  }

  /// Returns the bars themselves, for a checksum.
  RawColumns raw() {
    float[][] columns = new float[bars.fields().size()][bars.size()];
    for (int field = 0; field < columns.length; field++) {
      bars.copy(field, 0, columns[field], 0, bars.size());
    }
    return new RawColumns(own.dayStart(days[0]), own.dayEnd(days[days.length - 1]) - 1, columns);
  }

  /// Evaluates expressions over the days from `firstDay` on and returns the values at the rows of
  /// the instrument's own calendar, from the first whole day with values on.
  ///
  /// @param adjusted expressions that see adjusted bars where bars have a factor
  /// @param plain expressions that see bars as they are
  /// @param start the own calendar's index of the first row
  /// @param end the index of the last
  RawColumns evaluate(List<Expression> adjusted, List<Expression> plain, int start, int end) {
    int width = adjusted.size() + plain.size();
    float[][] columns = new float[width][end - start + 1];
    for (float[] column : columns) {
      Arrays.fill(column, Float.NaN);
    }
    int first = 0;
    while (first < days.length && own.dayStart(days[first]) < start) {
      first++;
    }
    if (first == days.length) {
      return new RawColumns(-1, -1, columns);
    }
    int from = first * ticks;
    int to = days.length * ticks - 1;
    var evaluated = new ArrayList<>(evaluated(adjusted, Adjustment.adjusted(bars), from, to));
    evaluated.addAll(evaluated(plain, bars, from, to));
    int begin =
        evaluated.stream()
            .filter(column -> column.size() > 0)
            .mapToInt(column -> column.index(0))
            .min()
            .orElse(Integer.MAX_VALUE);
    while (first < days.length && first * ticks < begin) {
      first++;
    }
    if (first == days.length) {
      return new RawColumns(-1, -1, columns);
    }
    for (int i = 0; i < width; i++) {
      float[] values = new float[to - from + 1];
      Arrays.fill(values, Float.NaN);
      if (evaluated.get(i).size() > 0) {
        evaluated.get(i).narrow(values, from);
      }
      for (int day = first; day < days.length; day++) {
        int row = own.dayStart(days[day]);
        int length = own.dayEnd(days[day]) - row;
        System.arraycopy(values, day * ticks - from, columns[i], row - start, length);
      }
    }
    int last = own.dayEnd(days[days.length - 1]) - 1;
    return new RawColumns(own.dayStart(days[first]), last, columns);
  }

  private static List<Column> evaluated(
      List<Expression> expressions, BarSeries series, int from, int to) {
    return new ExpressionPlan(series.calendar(), expressions, from, to)
        .evaluate(series.instrument(), RawColumns.fields(series, 0, series.size()));
  }
}
