package io.tranche.market.expression.evaluation;

import static io.tranche.market.expression.RollingOperator.IDX_MAX;
import static io.tranche.market.expression.RollingOperator.MAX;

import io.tranche.market.expression.RollingOperator;
import java.util.Arrays;

/// Statistics over the last bars, each with the arithmetic of pandas 1.5, step by step. As in
/// pandas, a window that begins elsewhere may differ in the last bits.
final class RollingFunctions {

  private RollingFunctions() {}

  /// @param window how many rows; 0 for all since the first, below 1 the weight of an exponential
  ///   mean
  static double[] of(RollingOperator operator, double[] values, double window) {
    if (window > 0 && window < 1) {
      return exponentialMean(finite(values), 1 / window - 1);
    }
    int rows = rows(values.length, (int) window);
    return switch (operator) {
      case MEAN -> RollingMoments.mean(finite(values), rows);
      case SUM -> RollingMoments.sum(finite(values), rows);
      case STD -> RollingMoments.deviation(finite(values), rows);
      case VAR -> RollingMoments.variance(finite(values), rows);
      case SKEW -> RollingMoments.skew(finite(values), rows);
      case KURT -> RollingMoments.kurtosis(finite(values), rows);
      case MAX, MIN -> extreme(finite(values), rows, operator == MAX);
      case MED -> RollingRanks.median(finite(values), rows);
      case COUNT -> count(values, rows);
      case MAD -> meanDeviation(finite(values), rows);
      case IDX_MAX, IDX_MIN -> position(finite(values), rows, operator == IDX_MAX);
      case RANK -> RollingRanks.rank(finite(values), rows);
      case SLOPE, RSQUARE, RESI -> RollingLine.of(operator, values, (int) window);
      case WMA -> weightedMean(finite(values), rows);
      case EMA ->
          window == 0
              ? weightedByLength(finite(values))
              : exponentialMean(finite(values), (window - 1) / 2);
    };
  }

  /// Returns the window as a number of rows from 1 on.
  static int rows(int length, int window) {
    return window == 0 ? Math.max(length, 1) : window;
  }

  /// Returns `values` with infinities replaced by NaN: pandas skips both.
  static double[] finite(double[] values) {
    int first = 0;
    while (first < values.length && !Double.isInfinite(values[first])) {
      first++;
    }
    if (first == values.length) {
      return values;
    }
    double[] copy = values.clone();
    for (int i = first; i < copy.length; i++) {
      copy[i] = Double.isInfinite(copy[i]) ? Double.NaN : copy[i];
    }
    return copy;
  }

  private static double[] extreme(double[] values, int window, boolean largest) {
    double[] result = new double[values.length];
    int[] queue = new int[values.length]; // rows that may still be the extreme, best first
    int head = 0;
    int tail = 0;
    for (int i = 0; i < values.length; i++) {
      double value = values[i];
      if (!Double.isNaN(value)) {
        while (tail > head
            && (largest ? value >= values[queue[tail - 1]] : value <= values[queue[tail - 1]])) {
          tail--;
        }
        queue[tail++] = i;
      }
      if (tail > head && queue[head] <= i - window) {
        head++;
      }
      result[i] = tail > head ? values[queue[head]] : Double.NaN;
    }
    return result;
  }

  private static double[] count(double[] values, int window) {
    double[] result = new double[values.length];
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      count += Double.isNaN(values[i]) ? 0 : 1;
      count -= i >= window && !Double.isNaN(values[i - window]) ? 1 : 0;
      result[i] = count;
    }
    return result;
  }

  private static double[] meanDeviation(double[] values, int window) {
    double[] result = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      int from = Math.max(0, i - window + 1);
      double sum = 0;
      int count = 0;
      for (int j = from; j <= i; j++) {
        if (!Double.isNaN(values[j])) {
          sum += values[j];
          count++;
        }
      }
      double mean = sum / count;
      double deviation = 0;
      for (int j = from; j <= i; j++) {
        deviation += Double.isNaN(values[j]) ? 0 : Math.abs(values[j] - mean);
      }
      result[i] = deviation / count;
    }
    return result;
  }

  private static double[] position(double[] values, int window, boolean largest) {
    double[] result = new double[values.length];
    int lastValue = -1; // the newest row that is not NaN
    for (int i = 0; i < values.length; i++) {
      lastValue = Double.isNaN(values[i]) ? lastValue : i;
      int from = Math.max(0, i - window + 1);
      if (lastValue < from) {
        result[i] = Double.NaN;
        continue;
      }
      int best = from;
      for (int j = from; j <= i && !Double.isNaN(values[best]); j++) {
        boolean better = largest ? values[j] > values[best] : values[j] < values[best];
        best = better || Double.isNaN(values[j]) ? j : best; // numpy: the first NaN wins
      }
      result[i] = best - from + 1;
    }
    return result;
  }

  private static double[] weightedMean(double[] values, int window) {
    double[] result = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      int from = Math.max(0, i - window + 1);
      double weights = (i - from + 1) * (double) (i - from + 2) / 2;
      double sum = 0;
      int count = 0;
      for (int j = from; j <= i; j++) {
        double weighted = (j - from + 1) / weights * values[j];
        if (!Double.isNaN(weighted)) {
          sum += weighted;
          count++;
        }
      }
      result[i] = sum / count;
    }
    return result;
  }

  /// Qlib's expanding `EMA`: every row weighs all rows so far again, with their number as the span.
  private static double[] weightedByLength(double[] values) {
    double[] result = new double[values.length];
    boolean observed = false;
    for (int i = 0; i < values.length; i++) {
      double decay = 1 - 2.0 / (2 + i);
      double weight = 1;
      double weights = 0;
      double sum = 0;
      for (int j = i; j >= 0; j--) {
        weights += weight;
        sum += Double.isNaN(values[j]) ? 0 : weight * values[j];
        weight *= decay;
      }
      observed |= !Double.isNaN(values[i]);
      result[i] = observed ? sum / weights : Double.NaN;
    }
    return result;
  }

  private static double[] exponentialMean(double[] values, double centreOfMass) {
    double[] result = new double[values.length];
    Arrays.fill(result, Double.NaN);
    double decay = 1 - 1 / (1 + centreOfMass);
    double mean = Double.NaN;
    double oldWeight = 1;
    for (int i = 0; i < values.length; i++) {
      double value = values[i];
      if (Double.isNaN(mean)) {
        mean = value;
      } else {
        oldWeight *= decay; // a missing value also lowers the weight of older ones
        if (!Double.isNaN(value)) {
          if (mean != value) {
            mean = (oldWeight * mean + value) / (oldWeight + 1);
          }
          oldWeight += 1;
        }
      }
      result[i] = mean;
    }
    return result;
  }
}
