package io.tranche.market.feature.provider;

import io.tranche.market.BarSeries;
import io.tranche.market.Calendar;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.expression.Expression;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Finds out whether the value of an expression changes its sign when every price moves the other
/// way, by computing it on drawn bars and on their mirror image.
final class Turning {

  private static final int DAYS = 4;
  private static final int TICKS = 240;
  private static final double LEVEL = 100;
  private static final double STEP = 0.001;
  private static final double ALIKE = 0.9;

  private Turning() {}

  /// Returns null if neither is clear: a value whose moves turn but that is not around 0, such as a
  /// price, or one that is neither odd nor even.
  static @Nullable Boolean of(Expression expression) {
    float[] drawn = values(expression, false);
    float[] mirrored = values(expression, true);
    double[] sums = new double[6];
    for (int i = 0; i < drawn.length; i++) {
      double x = drawn[i];
      double y = mirrored[i];
      if (Double.isFinite(x) && Double.isFinite(y)) {
        double[] terms = {1, x, y, x * x, y * y, x * y};
        for (int k = 0; k < terms.length; k++) {
          sums[k] += terms[k];
        }
      }
    }
    double n = sums[0];
    double varianceX = sums[3] - sums[1] * sums[1] / n;
    double varianceY = sums[4] - sums[2] * sums[2] / n;
    if (n < 2 || !(varianceX > 0) || !(varianceY > 0)) {
      return false; // says nothing of prices
    }
    double correlation = (sums[5] - sums[1] * sums[2] / n) / Math.sqrt(varianceX * varianceY);
    if (correlation > ALIKE) {
      return false;
    }
    boolean isAroundZero = Math.abs(sums[1] / n) < 2 * Math.sqrt(varianceX / n);
    return (correlation < -ALIKE && isAroundZero) ? true : null;
  }

  private static float[] values(Expression expression, boolean isMirrored) {
    List<DayFrame> days = days(expression.fields(), isMirrored);
    float[] values = new float[TICKS];
    new ExpressionFeatures(List.of(new ExpressionFeatures.Formula("x", expression, false)), DAYS)
        .compute(days.getLast(), days.subList(0, DAYS - 1), values);
    return values;
  }

  private static List<DayFrame> days(List<String> fields, boolean isMirrored) {
    var dates = new ArrayList<LocalDate>();
    var times = new ArrayList<long[]>();
    for (int day = 0; day < DAYS; day++) {
      dates.add(LocalDate.EPOCH.plusDays(day));
      long[] bars = new long[TICKS];
      for (int tick = 0; tick < TICKS; tick++) {
        bars[tick] = day * 86_400L + 34_200 + tick * 60L;
      }
      times.add(bars);
    }
    var calendar = Calendar.ofDays(Frequency.ofMinutes(1), dates, times);
    float[][] columns = new float[fields.size()][calendar.size()];
    var random = new SplittableRandom(20);
    double open = 0;
    for (int row = 0; row < calendar.size(); row++) {
      double close = open + STEP * random.nextGaussian();
      double high = Math.max(open, close) + STEP * random.nextDouble();
      double low = Math.min(open, close) - STEP * random.nextDouble();
      double spread = STEP * random.nextDouble();
      double volume = 1000 * random.nextDouble(0.5, 1.5);
      double sign = isMirrored ? -1 : 1;
      for (int i = 0; i < columns.length; i++) {
        Double move =
            switch (fields.get(i)) {
              case "open" -> Double.valueOf(sign * open);
              case "close" -> Double.valueOf(sign * close);
              case "vwap" -> Double.valueOf(sign * (open + close) / 2);
              case "high" -> Double.valueOf(isMirrored ? -low : high);
              case "low" -> Double.valueOf(isMirrored ? -high : low);
              case "bid" -> Double.valueOf(sign * close - spread);
              case "ask" -> Double.valueOf(sign * close + spread);
              default -> null;
            };
        columns[i][row] =
            (float)
                (fields.get(i).equals("change")
                    ? sign * (close - open)
                    : move == null ? volume : LEVEL * Math.exp(move));
      }
      open = close;
    }
    BarSeries series = BarSeries.wrap("X", calendar, 0, fields, columns);
    var frames = new ArrayList<DayFrame>();
    for (int day = 0; day < DAYS; day++) {
      DayFrame frame = series.day(day);
      if (frame != null) {
        frames.add(frame);
      }
    }
    return frames;
  }
}
