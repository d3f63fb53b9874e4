package io.tranche.analysis.selection;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// Wilcoxon's signed-rank test: whether paired differences are centred on zero, whatever their
/// distribution.
final class SignedRanks {

  /// Up to this many differences the distribution is exact; beyond, the normal one is close enough.
  private static final int MAX_EXACT = 50;

  private SignedRanks() {}

  /// Returns the two-sided p-value: the probability of differences at least as one-sided by chance;
  /// 1 if all are zero. Equal sizes share their mean rank; zeros are ignored.
  static double pValue(double[] differences) {
    double[] left = DoubleStream.of(differences).filter(each -> each != 0).toArray();
    int count = left.length;
    if (count == 0) {
      return 1;
    }
    int[] ranks = doubledRanks(left);
    int total = IntStream.of(ranks).sum();
    int positive = 0;
    for (int i = 0; i < count; i++) {
      positive += left[i] > 0 ? ranks[i] : 0;
    }
    int smaller = Math.min(positive, total - positive);
    return count <= MAX_EXACT ? exact(ranks, total, smaller) : normal(ranks, total, smaller);
  }

  /// Returns the ranks of the absolute values, doubled so that shared ranks are whole numbers.
  private static int[] doubledRanks(double[] differences) {
    Integer[] order = new Integer[differences.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingDouble(i -> Math.abs(differences[i])));
    int[] ranks = new int[differences.length];
    for (int from = 0; from < order.length; ) {
      int to = from;
      while (to < order.length
          && Math.abs(differences[order[to]]) == Math.abs(differences[order[from]])) {
        to++;
      }
      for (int i = from; i < to; i++) {
        ranks[order[i]] = from + 1 + to;
      }
      from = to;
    }
    return ranks;
  }

  /// Computes the share of all choices of signs that give each sum.
  private static double exact(int[] ranks, int total, int smaller) {
    double[] shares = new double[total + 1];
    shares[0] = 1;
    int reached = 0;
    for (int rank : ranks) {
      reached += rank;
      for (int sum = reached; sum >= 0; sum--) {
        shares[sum] = (shares[sum] + (sum >= rank ? shares[sum - rank] : 0)) / 2;
      }
    }
    return Math.min(1, 2 * DoubleStream.of(shares).limit(smaller + 1L).sum());
  }

  private static double normal(int[] ranks, int total, int smaller) {
    double variance = 0;
    for (int rank : ranks) {
      variance += (double) rank * rank / 4;
    }
    // Continuity correction: half a rank is 1 in doubled ranks.
    double z = Math.min(0, smaller + 1 - total / 2.0) / Math.sqrt(variance);
    return Math.min(1, 2 * lowerTail(z));
  }

  /// Returns the standard normal distribution function at `z`, which is not positive: Abramowitz
  /// and Stegun 26.2.17, accurate to 7.5e-8.
  private static double lowerTail(double z) {
    double t = 1 / (1 - 0.2316419 * z);
    double density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    double series =
        t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return density * series;
  }
}
