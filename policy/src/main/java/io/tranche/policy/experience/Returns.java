package io.tranche.policy.experience;

/// Advantages and n-step returns. Hot path: allocates nothing.
public final class Returns {

  private Returns() {}

  /// Computes how much better each step was than expected: generalised advantage estimation
  /// (Schulman et al., 2016).
  ///
  /// @param values the expected return before each step
  /// @param nextValues the expected return after it; must be 0 where the episode terminated
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

  /// Returns the row whose `next` observation the n-step return of `row` bootstraps from.
  public static int lastOfNStep(Transitions<?> steps, int row, int count) {
    int last = row;
    for (int i = 1; i < count; i++) {
      last = steps.following(last);
    }
    return last;
  }

  /// Returns the discounted rewards of at most `count` steps from `row` on plus the discounted
  /// `bootstrap`, the expected return after the last, which must be 0 where the episode terminated.
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
