package io.tranche.policy.experience;

/// What steps turned out to be worth. Hot path: allocates nothing.
public final class Returns {

  private Returns() {}

  /// How good each step was compared with what was expected: generalised advantage estimation
  /// (Schulman et al., 2016).
  ///
  /// @param values what was expected before each step
  /// @param nextValues what was expected after it; must be 0 where the episode terminated
  /// @param discount the weight of the next step's reward
  /// @param lambda 0 trusts the values, 1 the rewards
  /// @param advantages receives one number per step
  public static void advantages(
      Transitions<?> steps,
      double[] values,
      double[] nextValues,
      double discount,
      double lambda,
      double[] advantages) {
    double carried = 0;
    for (int row = steps.size() - 1; row >= 0; row--) {
      double surprise = steps.reward(row) + discount * nextValues[row] - values[row];
      carried = steps.isEnd(row) ? surprise : surprise + discount * lambda * carried;
      advantages[row] = carried;
    }
  }

  /// Returns the row whose `next` an n-step return of `row` leans on.
  public static int lastOfNStep(Transitions<?> steps, int row, int count) {
    int last = row;
    for (int i = 1; i < count; i++) {
      last = steps.following(last);
    }
    return last;
  }

  /// Returns the rewards of at most `count` steps from `row` on, discounted, and behind them
  /// `bootstrap`, what was expected after the last; must be 0 where the episode terminated.
  public static double nStep(
      Transitions<?> steps, int row, int count, double discount, double bootstrap) {
    double sum = 0;
    double weight = 1;
    int at = row;
    for (int taken = 1; ; taken++) {
      sum += weight * steps.reward(at);
      weight *= discount;
      if (taken == count || steps.isEnd(at)) {
        return sum + weight * bootstrap;
      }
      at++;
    }
  }
}
