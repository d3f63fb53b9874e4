package io.tranche.market.synthetic;

import io.tranche.market.Side;
import io.tranche.market.synthetic.IntradayLaw.DayType;

/// When to trade on a day of a known type: the exact answer, by dynamic programming.
///
/// Without impact the advantage is linear in the schedule, so the best schedule trades everything
/// in one step and the question is which: optimal stopping. The past tells nothing about the
/// future except through the number `h`, which is Markov. For a sell, measured from the last
/// price before step `k`,
///
/// - trading in step `k` is worth `a(k) h`, the expected mean of its closes,
/// - waiting is worth `c(k) h + E[W(k+1, h')]`: how far the price is expected to move meanwhile,
///   and the value `W` of the best that then remains, where `h'` given `h` is normal.
///
/// `W` is the better of the two; in the last step it is the first. A buy is a mirrored sell, with
/// `-h`.
final class StoppingRule {

  private static final int GRID = 801;
  private static final int NODES = 193;
  private static final double REACH = 6; // deviations covered by the grid and the quadrature
  private static final double[] WEIGHTS = weights();

  private final double spacing;
  private final double width;
  private final double[][] gainOfWaiting;
  private final double[] value; // of the first step, over the window's mean price

  StoppingRule(IntradayLaw law, DayType type, Schedule schedule) {
    this(PriceLaw.pulse(law, type), schedule);
  }

  StoppingRule(PriceLaw law, Schedule schedule) {
    double persistence = law.persistence();
    double variance = 0;
    double widest = 0;
    for (int bar = 0; bar < law.bars(); bar++) {
      double kept = (1 - law.chance()) * square(law.keep()) * variance;
      variance =
          kept + law.chance() * (persistence * persistence * variance + square(law.noise(bar)));
      widest = Math.max(widest, variance);
    }
    this.width = REACH * Math.sqrt(widest);
    this.spacing = 2 * width / (GRID - 1);

    int steps = schedule.steps();
    this.gainOfWaiting = new double[steps][GRID];
    double[] ahead = new double[GRID];
    double meanClose = 0; // of the steps from k on, times their bars, for a pulse of 1
    for (int step = steps - 1; step >= 0; step--) {
      double pulse = 1;
      double price = 0;
      double sum = 0;
      int from = schedule.start(step);
      int to = schedule.end(step);
      for (int bar = from; bar < to; bar++) {
        price += law.pull() * pulse;
        sum += price;
        pulse *= law.expectedPersistence();
      }
      meanClose = sum + price * (schedule.to() - to) + pulse * meanClose;
      boolean last = step == steps - 1;
      double[] expected = last ? ahead : expected(law, from, to, ahead);
      double[] current = new double[GRID];
      for (int point = 0; point < GRID; point++) {
        double h = point * spacing - width;
        double now = sum / (to - from) * h;
        double later = last ? now : price * h + expected[point];
        gainOfWaiting[step][point] = later - now;
        current[point] = Math.max(now, later);
      }
      ahead = current;
    }
    for (int point = 0; point < GRID; point++) {
      ahead[point] -= meanClose / (schedule.to() - schedule.from()) * (point * spacing - width);
    }
    this.value = ahead;
  }

  /// Returns what is expected of `ahead` after the bars of a step, for each `h` before them.
  private double[] expected(PriceLaw law, int from, int to, double[] ahead) {
    double persistence = law.persistence();
    if (law.chance() == 1) { // the whole step is one normal number
      double pulse = 1;
      double noise = 0;
      for (int bar = from; bar < to; bar++) {
        pulse *= persistence;
        noise = persistence * persistence * noise + square(law.noise(bar));
      }
      double[] result = new double[GRID];
      for (int point = 0; point < GRID; point++) {
        double h = point * spacing - width;
        result[point] = expectation(ahead, pulse * h, Math.sqrt(noise));
      }
      return result;
    }
    double[] later = ahead;
    for (int bar = to - 1; bar >= from; bar--) {
      double[] result = new double[GRID];
      for (int point = 0; point < GRID; point++) {
        double h = point * spacing - width;
        result[point] =
            (1 - law.chance()) * at(later, law.keep() * h)
                + law.chance() * expectation(later, persistence * h, law.noise(bar));
      }
      later = result;
    }
    return later;
  }

  private static double square(double x) {
    return x * x;
  }

  /// The trapezoid rule with the normal density. The kinks of the value cost less than a
  /// thousandth of it.
  private double expectation(double[] function, double mean, double deviation) {
    double sum = 0;
    for (int node = 0; node < NODES; node++) {
      sum += WEIGHTS[node] * at(function, mean + deviation * node(node));
    }
    return sum;
  }

  private static double node(int number) {
    return REACH * (2.0 * number / (NODES - 1) - 1);
  }

  private static double[] weights() {
    double[] weights = new double[NODES];
    for (int i = 0; i < NODES; i++) {
      weights[i] = StrictMath.exp(-square(node(i)) / 2);
    }
    IntradayLaw.normalise(weights);
    return weights;
  }

  /// Interpolates linearly, and extrapolates linearly beyond the grid.
  private double at(double[] function, double h) {
    double position = (h + width) / spacing;
    int left = Math.clamp((int) Math.floor(position), 0, GRID - 2);
    double part = position - left;
    return function[left] * (1 - part) + function[left + 1] * part;
  }

  /// Returns by how much waiting is expected to beat trading in `step`, in units of the day's
  /// volatility; negative where trading is better.
  double gainOfWaiting(int step, Side side, double pulse) {
    return at(gainOfWaiting[step], -side.sign() * pulse);
  }

  /// Returns the expected advantage of this rule over the window's mean price, seen from its
  /// start, in units of the day's volatility.
  double value(Side side, double pulse) {
    return at(value, -side.sign() * pulse);
  }
}
