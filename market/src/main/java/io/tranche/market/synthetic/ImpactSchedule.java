package io.tranche.market.synthetic;

import java.util.Arrays;

/// How to spread an order over its steps where its own trading moves the price and the move fades:
/// the cheapest schedule that is fixed in advance, by quadratic programming (Obizhaeva and Wang
/// 2013, with a volume that changes over the day).
///
/// A fill of the part `x` of the order at a tick moves the price by `x` over the tick's usual
/// volume; a fraction of each move is left one tick later. Volumes that turn out other than usual
/// would let a schedule that reacts to them save slightly more.
final class ImpactSchedule {

  private final double[] shares;
  private final double saved;

  ImpactSchedule(IntradayLaw law, Schedule schedule, double decay) {
    double[][] cost = cost(law, schedule, decay);
    double[] even = new double[schedule.steps()];
    for (int step = 0; step < even.length; step++) {
      even[step] =
          (double) (schedule.end(step) - schedule.start(step)) / (schedule.to() - schedule.from());
    }
    this.shares = cheapest(cost);
    this.saved = 1 - total(cost, shares) / total(cost, even);
  }

  double share(int step) {
    return shares[step];
  }

  /// Returns the part of the even schedule's cost that it saves.
  double saved() {
    return saved;
  }

  private static double[][] cost(IntradayLaw law, Schedule schedule, double decay) {
    int steps = schedule.steps();
    double[][] cost = new double[steps][steps];
    for (int later = 0; later < steps; later++) {
      for (int earlier = 0; earlier <= later; earlier++) {
        double sum = 0;
        for (int tick = schedule.start(later); tick < schedule.end(later); tick++) {
          int end = Math.min(tick + 1, schedule.end(earlier));
          for (int moved = schedule.start(earlier); moved < end; moved++) {
            sum += Math.pow(decay, tick - moved) / law.volumeShare(moved);
          }
        }
        double ticks =
            (double) (schedule.end(later) - schedule.start(later))
                * (schedule.end(earlier) - schedule.start(earlier));
        cost[later][earlier] += sum / ticks / 2;
        cost[earlier][later] += sum / ticks / 2;
      }
    }
    return cost;
  }

  private static double total(double[][] cost, double[] x) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < x.length; j++) {
        sum += x[i] * cost[i][j] * x[j];
      }
    }
    return sum;
  }

  /// At the best schedule every step that is used has the same marginal cost. Steps that would get
  /// less than nothing are left out, one after the other.
  private static double[] cheapest(double[][] cost) {
    int steps = cost.length;
    boolean[] used = new boolean[steps];
    Arrays.fill(used, true);
    while (true) {
      double[] x = solve(cost, used);
      int worst = 0;
      for (int i = 1; i < steps; i++) {
        worst = x[i] < x[worst] ? i : worst;
      }
      if (x[worst] >= 0) {
        IntradayLaw.normalise(x);
        return x;
      }
      used[worst] = false;
    }
  }

  /// Solves `cost x = 1` over the steps in use; the others are 0.
  private static double[] solve(double[][] cost, boolean[] used) {
    int n = cost.length;
    double[][] rows = new double[n][n + 1];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        rows[i][j] = used[i] && used[j] ? cost[i][j] : i == j ? 1 : 0;
      }
      rows[i][n] = used[i] ? 1 : 0;
    }
    for (int k = 0; k < n; k++) { // positive definite: no pivoting
      for (int i = k + 1; i < n; i++) {
        double factor = rows[i][k] / rows[k][k];
        for (int j = k; j <= n; j++) {
          rows[i][j] -= factor * rows[k][j];
        }
      }
    }
    double[] x = new double[n];
    for (int i = n - 1; i >= 0; i--) {
      double rest = rows[i][n];
      for (int j = i + 1; j < n; j++) {
        rest -= rows[i][j] * x[j];
      }
      x[i] = rest / rows[i][i];
    }
    return x;
  }
}
