package io.tranche.market.feature.provider;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds columns of a joined table that know what their day does later, such as a daily close that
/// counts on its own day.
///
/// A table does not change when bars do, so [CausalityCheck] cannot see it. But no honest value at
/// the first bar of a day goes with the return of that day as closely as this.
///
/// @param column the name in the features
/// @param correlation with the return of the day, of the value or of its change since the day
///   before
/// @param days how many days were compared
public record TableLeak(String column, double correlation, int days) {

  private static final double ROUNDING = 1e-12;
  private static final double SUSPICIOUS = 0.5;
  private static final int FEWEST_DAYS = 20;
  private static final int MOST_INSTRUMENTS = 50;

  /// Returns the first leak, or null.
  public static @Nullable TableLeak find(FeatureProvider table, BarSource bars) {
    int width = table.columns().size();
    var returns = new ArrayList<Double>();
    List<List<Double>> levels = lists(width);
    List<List<Double>> changes = lists(width);
    for (String code :
        bars.instruments().subList(0, Math.min(MOST_INSTRUMENTS, bars.instruments().size()))) {
      collect(table, bars.series(code), returns, levels, changes);
    }
    for (int column = 0; column < width; column++) {
      for (List<Double> values : List.of(levels.get(column), changes.get(column))) {
        TableLeak leak = correlation(table.columns().get(column), values, returns);
        if (leak != null) {
          return leak;
        }
      }
    }
    return null;
  }

  /// @throws DataException if the table leaks
  public static void require(FeatureProvider table, BarSource bars) {
    TableLeak leak = find(table, bars);
    if (leak != null) {
      throw new DataException(
          "table",
          "values that are known at the bar",
          "%s, which goes with what its day does later (correlation %.2f over %d days): if it is known only after the close, write 'known: next_day'"
              .formatted(leak.column, leak.correlation, leak.days));
    }
  }

  private static List<List<Double>> lists(int count) {
    var lists = new ArrayList<List<Double>>();
    for (int i = 0; i < count; i++) {
      lists.add(new ArrayList<>());
    }
    return lists;
  }

  private static void collect(
      FeatureProvider table,
      BarSeries series,
      List<Double> returns,
      List<List<Double>> levels,
      List<List<Double>> changes) {
    float @Nullable [] before = null;
    int close = series.fieldIndex("close");
    for (int number = series.firstDay(); number < series.endDay(); number++) {
      DayFrame day = series.day(number);
      if (day == null || !day.hasBars()) {
        continue;
      }
      float[] row = new float[table.columns().size()];
      table.stream(day, List.of()).next(0, row, 0);
      double first = Double.NaN;
      double last = Double.NaN;
      for (int tick = 0; tick < day.ticks(); tick++) {
        double price = day.value(close, tick);
        if (price > 0) {
          first = Double.isNaN(first) ? price : first;
          last = price;
        }
      }
      returns.add(Math.log(last / first));
      for (int i = 0; i < row.length; i++) {
        levels.get(i).add((double) row[i]);
        changes
            .get(i)
            .add(before == null ? Double.NaN : (row[i] - before[i]) / Math.abs(before[i]));
      }
      before = row;
    }
  }

  private static @Nullable TableLeak correlation(
      String column, List<Double> values, List<Double> returns) {
    int count = 0;
    double[] sums = new double[5];
    for (int i = 0; i < values.size(); i++) {
      double x = values.get(i);
      double y = returns.get(i);
      if (Double.isFinite(x) && Double.isFinite(y)) {
        count++;
        sums[0] += x;
        sums[1] += y;
        sums[2] += x * x;
        sums[3] += y * y;
        sums[4] += x * y;
      }
    }
    double varianceX = sums[2] - sums[0] * sums[0] / count;
    double varianceY = sums[3] - sums[1] * sums[1] / count;
    double correlation = (sums[4] - sums[0] * sums[1] / count) / Math.sqrt(varianceX * varianceY);
    // What never changes, but for rounding, goes with nothing.
    boolean moves = varianceX > ROUNDING * sums[2] && varianceY > ROUNDING * sums[3];
    return moves && count >= FEWEST_DAYS && Math.abs(correlation) > SUSPICIOUS
        ? new TableLeak(column, correlation, count)
        : null;
  }
}
