package io.tranche.market.order;

import io.tranche.market.BarSeries;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Closes and volumes of one instrument, grouped by day, in the precision they were stored in.
final class DayBars {

  private final String where;
  private final List<LocalDate> dates;
  private final int[] starts; // one more than there are days
  private final double[] closes;
  private final double[] volumes;
  private final boolean singlePrecision;

  private DayBars(
      String where,
      List<LocalDate> dates,
      int[] starts,
      double[] closes,
      double[] volumes,
      boolean singlePrecision) {
    this.where = where;
    this.dates = dates;
    this.starts = starts;
    this.closes = closes;
    this.volumes = volumes;
    this.singlePrecision = singlePrecision;
  }

  /// Takes the fields `close` and `volume` of a series, or `close0` and `volume0`, as the backtest
  /// frames of Qlib and of our feature stores call them.
  ///
  /// @throws DataException if it lacks one of them
  static DayBars of(BarSeries series) {
    var dates = new ArrayList<LocalDate>();
    int[] starts = new int[series.endDay() - series.firstDay() + 1];
    for (int day = series.firstDay(); day < series.endDay(); day++) {
      dates.add(series.calendar().date(day));
      starts[dates.size()] = series.calendar().dayEnd(day) - series.firstBar();
    }
    return new DayBars(
        series.instrument(),
        dates,
        starts,
        column(series, "close"),
        column(series, "volume"),
        true);
  }

  /// Returns the column of a field, or of the same with the suffix 0 that backtest files give it.
  ///
  /// @throws DataException if the series has neither
  static int field(BarSeries series, String name) {
    int field = series.fieldIndex(name);
    field = field < 0 ? series.fieldIndex(name + "0") : field;
    if (field < 0) {
      throw new DataException(series.instrument(), "a field " + name, series.fields());
    }
    return field;
  }

  private static double[] column(BarSeries series, String name) {
    int field = field(series, name);
    double[] values = new double[series.size()];
    for (int row = 0; row < values.length; row++) {
      values[row] = series.value(field, row);
    }
    return values;
  }

  /// Takes the columns `datetime`, `$close0` and `$volume0` of a backtest frame, in row order.
  ///
  /// @throws DataException if one is missing or the times go back
  static DayBars of(String where, Table frame) {
    var rows = new TableRows(where, frame);
    var dates = new ArrayList<LocalDate>();
    int[] starts = new int[frame.rows() + 1];
    double[] closes = new double[frame.rows()];
    double[] volumes = new double[frame.rows()];
    for (int row = 0; row < frame.rows(); row++) {
      LocalDate date = rows.time("datetime", row).toLocalDate();
      if (dates.isEmpty() || date.isAfter(dates.getLast())) {
        starts[dates.size()] = row;
        dates.add(date);
      } else if (date.isBefore(dates.getLast())) {
        throw rows.bad(row, "times in order", date);
      }
      closes[row] = rows.number("$close0", row);
      volumes[row] = rows.number("$volume0", row);
    }
    starts[dates.size()] = frame.rows();
    return new DayBars(
        where,
        dates,
        Arrays.copyOf(starts, dates.size() + 1),
        closes,
        volumes,
        frame.column("$volume0") instanceof Table.Singles);
  }

  String where() {
    return where;
  }

  int days() {
    return dates.size();
  }

  LocalDate date(int day) {
    return dates.get(day);
  }

  int bars(int day) {
    return starts[day + 1] - starts[day];
  }

  double close(int day, int bar) {
    return closes[starts[day] + bar];
  }

  double volume(int day, int bar) {
    return volumes[starts[day] + bar];
  }

  double meanClose(int day, int from, int to) {
    return mean(closes, starts[day] + from, starts[day] + to);
  }

  double meanVolume(int day, int from, int to) {
    return mean(volumes, starts[day] + from, starts[day] + to);
  }

  /// Multiplies in the precision of the data, as numpy multiplies an array by a scalar.
  double times(double ratio, double value) {
    return singlePrecision ? (float) ratio * (float) value : ratio * value;
  }

  /// Whether a bar lacks a value, or some volume is below `least`.
  boolean hasHoleOrVolumeBelow(double least) {
    for (int i = 0; i < closes.length; i++) {
      if (Double.isNaN(closes[i]) || !(volumes[i] >= least)) {
        return true;
      }
    }
    return false;
  }

  /// The compensated sum of pandas' group means, in the precision of the data: to the last bit.
  private double mean(double[] values, int from, int to) {
    if (singlePrecision) {
      float sum = 0;
      float lost = 0;
      for (int i = from; i < to; i++) {
        float y = (float) values[i] - lost;
        float t = sum + y;
        lost = t - sum - y;
        sum = t;
      }
      return sum / (to - from);
    }
    double sum = 0;
    double lost = 0;
    for (int i = from; i < to; i++) {
      double y = values[i] - lost;
      double t = sum + y;
      lost = t - sum - y;
      sum = t;
    }
    return sum / (to - from);
  }
}
