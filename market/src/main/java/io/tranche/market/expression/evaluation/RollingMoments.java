package io.tranche.market.expression.evaluation;

import java.util.Arrays;

/// Sums of powers over the last rows, updated value by value.
final class RollingMoments {

  private static final double SMALLEST_VARIANCE = 1e-14; // below it pandas sees a constant

  private RollingMoments() {}

  /// A compensated sum of values that come and go. Additions and removals have separate
  /// compensations.
  private static final class Kahan {
    double sum;
    private double added;
    private double removed;

    void add(double value) {
      double y = value - added;
      double t = sum + y;
      added = t - sum - y;
      sum = t;
    }

    void remove(double value) {
      double y = -value - removed;
      double t = sum + y;
      removed = t - sum - y;
      sum = t;
    }
  }

  /// How many values there are, and whether the newest of them are all equal.
  private static final class Observations {
    int count;
    private double previous = Double.NaN;
    private int same;

    void add(double value) {
      count++;
      same = value == previous ? same + 1 : 1;
      previous = value;
    }

    boolean areEqual() {
      return same >= count;
    }
  }

  static double[] sum(double[] values, int window) {
    double[] result = new double[values.length];
    var sum = new Kahan();
    var seen = new Observations();
    for (int i = 0; i < values.length; i++) {
      if (window == 1) { // pandas starts over where windows do not overlap
        sum = new Kahan();
        seen = new Observations();
      } else if (i >= window && !Double.isNaN(values[i - window])) {
        seen.count--;
        sum.remove(values[i - window]);
      }
      if (!Double.isNaN(values[i])) {
        seen.add(values[i]);
        sum.add(values[i]);
      }
      result[i] =
          seen.count == 0 ? Double.NaN : seen.areEqual() ? seen.previous * seen.count : sum.sum;
    }
    return result;
  }

  static double[] mean(double[] values, int window) {
    double[] result = new double[values.length];
    var sum = new Kahan();
    var seen = new Observations();
    int negative = 0;
    for (int i = 0; i < values.length; i++) {
      if (window == 1) {
        sum = new Kahan();
        seen = new Observations();
        negative = 0;
      } else if (i >= window && !Double.isNaN(values[i - window])) {
        seen.count--;
        sum.remove(values[i - window]);
        negative -= isNegative(values[i - window]) ? 1 : 0;
      }
      if (!Double.isNaN(values[i])) {
        seen.add(values[i]);
        sum.add(values[i]);
        negative += isNegative(values[i]) ? 1 : 0;
      }
      result[i] = seen.count == 0 ? Double.NaN : mean(sum.sum / seen.count, seen, negative);
    }
    return result;
  }

  private static double mean(double mean, Observations seen, int negative) {
    if (seen.areEqual()) {
      return seen.previous;
    }
    boolean impossible = (negative == 0 && mean < 0) || (negative == seen.count && mean > 0);
    return impossible ? 0 : mean;
  }

  private static boolean isNegative(double value) {
    return Double.doubleToRawLongBits(value) < 0;
  }

  /// Welford's method, with the mean compensated.
  static double[] variance(double[] values, int window) {
    double[] result = new double[values.length];
    var seen = new Observations();
    double mean = 0;
    double squares = 0;
    double added = 0;
    double removed = 0;
    for (int i = 0; i < values.length; i++) {
      if (window == 1) {
        seen = new Observations();
      } else if (i >= window && !Double.isNaN(values[i - window])) {
        double old = values[i - window];
        seen.count--;
        if (seen.count == 0) {
          mean = 0;
          squares = 0;
        } else {
          double previousMean = mean - removed;
          double y = old - removed;
          double delta = y - mean;
          removed = delta + mean - y;
          mean -= delta / seen.count;
          squares -= (old - previousMean) * (old - mean);
        }
      }
      double value = values[i];
      if (!Double.isNaN(value)) {
        seen.add(value);
        double previousMean = mean - added;
        double y = value - added;
        double delta = y - mean;
        added = delta + mean - y;
        mean += delta / seen.count;
        squares += (value - previousMean) * (value - mean);
      }
      result[i] = seen.count < 2 ? Double.NaN : seen.areEqual() ? 0 : squares / (seen.count - 1.0);
    }
    return result;
  }

  static double[] deviation(double[] values, int window) {
    double[] result = variance(values, window);
    for (int i = 0; i < result.length; i++) {
      result[i] = result[i] < 0 ? 0 : Math.sqrt(result[i]);
    }
    return result;
  }

  static double[] skew(double[] values, int window) {
    return ofPowers(centred(values, -1e5), window, 3);
  }

  static double[] kurtosis(double[] values, int window) {
    return ofPowers(centred(values, -1e4), window, 4);
  }

  private static double[] ofPowers(double[] values, int window, int highest) {
    double[] result = new double[values.length];
    var seen = new Observations();
    var sums = new Kahan[highest]; // of the values, their squares, and so on
    Arrays.setAll(sums, _ -> new Kahan());
    for (int i = 0; i < values.length; i++) {
      if (i >= window && !Double.isNaN(values[i - window])) {
        seen.count--;
        double power = 1;
        for (Kahan sum : sums) {
          power *= values[i - window];
          sum.remove(power);
        }
      }
      if (!Double.isNaN(values[i])) {
        seen.add(values[i]);
        double power = 1;
        for (Kahan sum : sums) {
          power *= values[i];
          sum.add(power);
        }
      }
      result[i] = highest == 3 ? skew(seen, sums) : kurtosis(seen, sums);
    }
    return result;
  }

  private static double skew(Observations seen, Kahan[] sums) {
    double n = seen.count;
    if (n < 3) {
      return Double.NaN;
    }
    if (seen.areEqual()) {
      return 0;
    }
    double a = sums[0].sum / n;
    double b = sums[1].sum / n - a * a;
    double c = sums[2].sum / n - a * a * a - 3 * a * b;
    if (b <= SMALLEST_VARIANCE) {
      return Double.NaN;
    }
    double r = Math.sqrt(b);
    return (Math.sqrt(n * (n - 1)) * c) / ((n - 2) * r * r * r);
  }

  private static double kurtosis(Observations seen, Kahan[] sums) {
    double n = seen.count;
    if (n < 4) {
      return Double.NaN;
    }
    if (seen.areEqual()) {
      return -3;
    }
    double a = sums[0].sum / n;
    double r = a * a;
    double b = sums[1].sum / n - r;
    r *= a;
    double c = sums[2].sum / n - r - 3 * a * b;
    r *= a;
    double d = sums[3].sum / n - r - 6 * b * a * a - 4 * c * a;
    if (b <= SMALLEST_VARIANCE) {
      return Double.NaN;
    }
    double k = (n * n - 1) * d / (b * b) - 3 * ((n - 1) * (n - 1));
    return k / ((n - 2) * (n - 3));
  }

  /// Returns the values minus their rounded mean, unless the smallest lies further below it than
  /// `lowest`: subtracting would then cost the small values their precision.
  private static double[] centred(double[] values, double lowest) {
    double sum = 0;
    int count = 0;
    double smallest = Double.NaN;
    for (double value : values) {
      if (!Double.isNaN(value)) {
        sum += value;
        count++;
        smallest = Double.isNaN(smallest) ? value : Math.min(smallest, value);
      }
    }
    double mean = sum / count;
    if (!(smallest - mean > lowest)) {
      return values;
    }
    double centre = Math.copySign(Math.floor(Math.abs(mean) + 0.5), mean);
    double[] centred = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      centred[i] = values[i] - centre;
    }
    return centred;
  }
}
