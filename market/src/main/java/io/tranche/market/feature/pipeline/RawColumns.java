package io.tranche.market.feature.pipeline;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.expression.Expression;
import io.tranche.market.expression.evaluation.Column;
import io.tranche.market.expression.evaluation.ExpressionPlan;
import io.tranche.market.expression.evaluation.FieldSource;
import io.tranche.market.store.FeatureQuery;
import io.tranche.market.store.QlibStore;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/// The values of expressions for one instrument over a window of the calendar.
final class RawColumns {

  /// Evaluates the same expressions for one instrument after another, from several threads.
  @FunctionalInterface
  interface Query {
    RawColumns of(String instrument);
  }

  private final int firstBar;
  private final int lastBar;
  private final float[][] columns;

  RawColumns(int firstBar, int lastBar, float[][] columns) {
    this.firstBar = firstBar;
    this.lastBar = lastBar;
    this.columns = columns;
  }

  /// @param from the first calendar index of the window
  /// @param to the last
  static Query query(BarSource source, List<String> expressions, int from, int to) {
    Calendar calendar = source.calendar();
    if (source instanceof QlibStore store) {
      FeatureQuery query = store.query(expressions, calendar.time(from), calendar.time(to));
      return instrument -> of(query.whole(instrument));
    }
    var plan =
        new ExpressionPlan(
            calendar, expressions.stream().map(Expression::parse).toList(), from, to);
    return instrument -> of(plan.evaluate(instrument, fields(source.series(instrument))), from, to);
  }

  /// Evaluates a plan of the whole calendar over a series whose later bars are still missing.
  ///
  /// @param first the row from which on the series counts
  static RawColumns evaluate(ExpressionPlan plan, BarSeries growing, int first) {
    FieldSource fields = fields(growing, first, growing.size());
    return of(plan.evaluate(growing.instrument(), fields), 0, growing.calendar().size() - 1);
  }

  private static RawColumns of(FeatureQuery.Whole whole) {
    return new RawColumns(whole.first(), whole.last(), whole.columns());
  }

  private static RawColumns of(List<Column> evaluated, int from, int to) {
    float[][] columns = new float[evaluated.size()][to - from + 1];
    int first = Integer.MAX_VALUE;
    int last = -1;
    for (int i = 0; i < columns.length; i++) {
      Column column = evaluated.get(i);
      Arrays.fill(columns[i], Float.NaN);
      if (column.size() > 0) {
        column.narrow(columns[i], from);
        first = Math.min(first, column.index(0));
        last = Math.max(last, column.index(column.size() - 1));
      }
    }
    return new RawColumns(last < 0 ? -1 : first, last, columns);
  }

  /// Returns the bars of a series from the first that is not missing to the last, like a store that
  /// holds only those.
  private static FieldSource fields(BarSeries series) {
    int end = series.size();
    while (end > 0 && series.isMissing(end - 1)) {
      end--;
    }
    return fields(series, firstPresent(series), end);
  }

  /// Returns the first row that is not missing; the series' size if all are.
  static int firstPresent(BarSeries series) {
    int row = 0;
    while (row < series.size() && series.isMissing(row)) {
      row++;
    }
    return row;
  }

  /// Offers the rows `begin` to `end` (exclusive) of a series.
  static FieldSource fields(BarSeries series, int begin, int end) {
    int first = series.firstBar() + begin;
    int last = series.firstBar() + end - 1;
    return (name, from, to) -> {
      int field = series.fieldIndex(name);
      int start = Math.max(from, first);
      int length = field < 0 ? 0 : Math.max(0, Math.min(to, last) - start + 1);
      float[] values = new float[length];
      if (length > 0) {
        series.copy(field, start - series.firstBar(), values, 0, length);
      }
      return Column.ofField(start, values);
    };
  }

  /// Returns the calendar index of the first bar with a row, -1 if there is none.
  int firstBar() {
    return firstBar;
  }

  /// Returns the calendar index of the last bar with a row, -1 if there is none.
  int lastBar() {
    return lastBar;
  }

  /// Returns one column per expression with one value per bar of the window, NaN where there is
  /// none.
  float[][] columns() {
    return columns;
  }

  int checksum() {
    var checksum = new CRC32C();
    checksum.update(ByteBuffer.allocate(8).putInt(firstBar).putInt(lastBar).flip());
    ByteBuffer bytes = ByteBuffer.allocate(columns[0].length * Float.BYTES);
    for (float[] column : columns) {
      bytes.clear().asFloatBuffer().put(column);
      checksum.update(bytes);
    }
    return (int) checksum.getValue();
  }
}
