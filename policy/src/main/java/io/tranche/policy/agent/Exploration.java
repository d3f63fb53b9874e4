package io.tranche.policy.agent;

/// How often a policy that learns the values of actions tries another one, and how that fades.
///
/// @param start the initial probability
/// @param end the final probability
/// @param duration how long the fade takes: a linear one is then over, an exponential one has a
///   share of 1/e left; 0 for `end` from the beginning
/// @param fade the shape of the fade
/// @param clock what `duration` counts
public record Exploration(double start, double end, long duration, Fade fade, Clock clock) {

  /// The shape of a fade from the initial to the final probability.
  public enum Fade {
    LINEAR,
    EXPONENTIAL
  }

  /// What time is measured in.
  public enum Clock {
    /// Updates, however many minibatches each has.
    UPDATES,
    /// Minibatches.
    STEPS
  }

  /// None at all, as Qlib has it.
  public static final Exploration NONE = new Exploration(0, 0, 0, Fade.LINEAR, Clock.UPDATES);

  /// What numpy, and so tianshou, takes for 0.
  private static final double NEGLIGIBLE = 1e-8;

  public Exploration {
    requireProbability("start", start);
    requireProbability("end", end);
    if (duration < 0) {
      throw new IllegalArgumentException("duration must not be negative, was " + duration);
    }
  }

  private static void requireProbability(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + " must be in [0, 1], was " + value);
    }
  }

  /// Returns the probability after `elapsed` ticks of the clock.
  public double at(long elapsed) {
    if (duration == 0) {
      return end;
    }
    double passed = (double) elapsed / duration;
    double left =
        switch (fade) {
          case LINEAR -> Math.max(0, 1 - passed);
          case EXPONENTIAL -> Math.exp(-passed);
        };
    return end + (start - end) * left;
  }

  /// Returns `greedy`, or with the probability `epsilon` another action.
  ///
  /// @param draws from [0, 1): one that decides whether, then one for each action, of which the
  ///   highest wins
  public static int choose(int greedy, double epsilon, double[] draws) {
    if (epsilon <= NEGLIGIBLE || !(draws[0] < epsilon)) {
      return greedy;
    }
    int best = 1;
    for (int i = 2; i < draws.length; i++) {
      if (draws[i] > draws[best]) {
        best = i;
      }
    }
    return best - 1;
  }
}
