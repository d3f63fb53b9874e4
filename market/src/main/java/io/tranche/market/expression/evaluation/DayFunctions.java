package io.tranche.market.expression.evaluation;

import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.expression.ColumnType;
import io.tranche.market.expression.Expression.DayCumsum;
import java.util.Arrays;

/// Functions of all bars of a day that the window covers.
final class DayFunctions {

  private static final int MINUTES_A_DAY = 240;

  private DayFunctions() {}

  static Column last(Calendar calendar, Column operand) {
    double[] values = new double[operand.size()];
    for (int from = 0, to; from < values.length; from = to) {
      to = dayEnd(calendar, operand, from);
      double last = Double.NaN;
      for (int row = to - 1; row >= from && Double.isNaN(last); row--) {
        last = operand.value(row);
      }
      Arrays.fill(values, from, to, last);
    }
    return operand.with(operand.type(), values);
  }

  static Column date(Calendar calendar, Column operand) {
    double[] values = new double[operand.size()];
    for (int row = 0; row < values.length; row++) {
      values[row] = BarTime.date(calendar.time(operand.index(row))).toEpochDay();
    }
    return operand.with(ColumnType.INTEGER, values);
  }

  static Column cumsum(DayCumsum cumsum, String instrument, Calendar calendar, Column operand) {
    int bars = MINUTES_A_DAY / cumsum.granularity();
    int start = minute(cumsum.start()) / cumsum.granularity();
    int end = minute(cumsum.end()) / cumsum.granularity();
    boolean single = operand.type() == ColumnType.SINGLE;
    double[] values = new double[operand.size()];
    for (int from = 0, to; from < values.length; from = to) {
      to = dayEnd(calendar, operand, from);
      if (to - from != bars) {
        throw new DataException(
            "instrument %s, %s, expression '%s'"
                .formatted(instrument, BarTime.date(calendar.time(operand.index(from))), cumsum),
            "%d bars of that day".formatted(bars),
            to - from);
      }
      double sum = 0;
      for (int bar = start; bar <= end; bar++) {
        double value = operand.value(from + bar);
        if (Double.isNaN(value)) {
          values[from + bar] = Double.NaN;
        } else {
          sum = single ? (float) (sum + value) : sum + value;
          values[from + bar] = sum;
        }
      }
    }
    return operand.with(cumsum.type(), values);
  }

  /// Returns the row after the last one of the day that `from` belongs to.
  private static int dayEnd(Calendar calendar, Column column, int from) {
    int end = calendar.dayEnd(calendar.dayOfBar(column.index(from)));
    if (column.isContiguous()) {
      return Math.min(column.size(), from + end - column.index(from));
    }
    int to = from;
    while (to < column.size() && column.index(to) < end) {
      to++;
    }
    return to;
  }

  /// Minutes traded since the opening, without the break from 11:30 to 13:00.
  private static int minute(int minuteOfDay) {
    return minuteOfDay < 12 * 60 ? minuteOfDay - (9 * 60 + 30) : minuteOfDay - 13 * 60 + 120;
  }
}
