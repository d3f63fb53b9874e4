package io.tranche.backtest;

import org.jspecify.annotations.Nullable;

/// Sums in the order in which numpy and pandas add, so that results equal Qlib's to the last bit:
/// eight running sums over blocks of up to 128 elements; longer ranges are halved.
///
/// This order also has smaller rounding errors than adding one after another. Hot path: allocates
/// nothing.
public final class Sums {

  private static final int BLOCK = 128;

  /// What to do with elements that are not numbers.
  public enum Gaps {
    /// A single one makes the whole sum NaN, as in numpy.
    SPREAD,
    /// They count as zero, as in pandas.
    SKIP
  }

  private Sums() {}

  /// Returns the sum of `count` elements from `from` on.
  public static double sum(double[] values, int from, int count, Gaps gaps) {
    return pairwise(values, from, null, 0, count, gaps == Gaps.SKIP);
  }

  /// Returns the sum of the products of `count` elements from `from` and `otherFrom` on.
  public static double dot(
      double[] values, int from, double[] others, int otherFrom, int count, Gaps gaps) {
    return pairwise(values, from, others, otherFrom, count, gaps == Gaps.SKIP);
  }

  /// Returns the sum of `count` elements that are float32, added as float32.
  public static float singleSum(double[] values, int from, int count, Gaps gaps) {
    return singlePairwise(values, from, count, gaps == Gaps.SKIP);
  }

  /// Returns the number of elements that are not NaN among `count` from `from` on.
  public static int numbers(double[] values, int from, int count) {
    int numbers = 0;
    for (int i = from; i < from + count; i++) {
      numbers += Double.isNaN(values[i]) ? 0 : 1;
    }
    return numbers;
  }

  private static double pairwise(
      double[] a, int i, double @Nullable [] b, int j, int count, boolean skip) {
    if (count < 8) {
      double sum = 0;
      for (int k = 0; k < count; k++) {
        sum += term(a, i + k, b, j + k, skip);
      }
      return sum;
    }
    if (count > BLOCK) {
      int half = count / 2;
      half -= half % 8;
      return pairwise(a, i, b, j, half, skip)
          + pairwise(a, i + half, b, j + half, count - half, skip);
    }
    double s0 = term(a, i, b, j, skip);
    double s1 = term(a, i + 1, b, j + 1, skip);
    double s2 = term(a, i + 2, b, j + 2, skip);
    double s3 = term(a, i + 3, b, j + 3, skip);
    double s4 = term(a, i + 4, b, j + 4, skip);
    double s5 = term(a, i + 5, b, j + 5, skip);
    double s6 = term(a, i + 6, b, j + 6, skip);
    double s7 = term(a, i + 7, b, j + 7, skip);
    int whole = count - count % 8;
    for (int k = 8; k < whole; k += 8) {
      s0 += term(a, i + k, b, j + k, skip);
      s1 += term(a, i + k + 1, b, j + k + 1, skip);
      s2 += term(a, i + k + 2, b, j + k + 2, skip);
      s3 += term(a, i + k + 3, b, j + k + 3, skip);
      s4 += term(a, i + k + 4, b, j + k + 4, skip);
      s5 += term(a, i + k + 5, b, j + k + 5, skip);
      s6 += term(a, i + k + 6, b, j + k + 6, skip);
      s7 += term(a, i + k + 7, b, j + k + 7, skip);
    }
    double sum = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
    for (int k = whole; k < count; k++) {
      sum += term(a, i + k, b, j + k, skip);
    }
    return sum;
  }

  private static double term(double[] a, int i, double @Nullable [] b, int j, boolean skip) {
    double term = b == null ? a[i] : a[i] * b[j];
    return skip && Double.isNaN(term) ? 0 : term;
  }

  private static float singlePairwise(double[] a, int from, int count, boolean skip) {
    if (count > BLOCK) {
      int half = count / 2;
      half -= half % 8;
      return singlePairwise(a, from, half, skip)
          + singlePairwise(a, from + half, count - half, skip);
    }
    int whole = count - count % 8;
    float sum =
        ((lane(a, from, whole, skip) + lane(a, from + 1, whole - 1, skip))
                + (lane(a, from + 2, whole - 2, skip) + lane(a, from + 3, whole - 3, skip)))
            + ((lane(a, from + 4, whole - 4, skip) + lane(a, from + 5, whole - 5, skip))
                + (lane(a, from + 6, whole - 6, skip) + lane(a, from + 7, whole - 7, skip)));
    for (int k = whole; k < count; k++) {
      sum += (float) term(a, from + k, null, 0, skip);
    }
    return sum;
  }

  /// Adds every eighth of `count` elements.
  private static float lane(double[] a, int from, int count, boolean skip) {
    float sum = 0;
    for (int k = 0; k < count; k += 8) {
      sum += (float) term(a, from + k, null, 0, skip);
    }
    return sum;
  }
}
