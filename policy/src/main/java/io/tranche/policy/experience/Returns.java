package io.tranche.policy.experience;

/// N-step returns. Hot path: allocates nothing.
public final class Returns {

  private Returns() {}

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
