package io.tranche.policy.agent;

/// How often a value-based policy tries another action than the best, and how that rate decays.
/// *DQN* is Mnih et al. 2015 (Nature 518).
///
/// @param start the initial probability, usually 1 (DQN, methods)
/// @param end the final probability, usually 0.01 to 0.1 (DQN, methods: 0.1)
/// @param duration length of the decay: a linear one is then over, an exponential one has 1/e left;
///   usually a tenth to a half of the run (DQN, methods: a fiftieth); 0 starts at `end`
/// @param fade the shape of the decay: linear (DQN, methods) or exponential, which leaves some for
///   later
/// @param clock the unit of `duration`: updates, or minibatches where their number varies
///   (Tranche's own)
public record Exploration(double start, double end, long duration, Fade fade, Clock clock) {

  /// The shape of the decay from the initial to the final probability.
  public enum Fade {
    LINEAR,
    EXPONENTIAL
  }

  /// The unit of time.
  public enum Clock {
    /// Updates, however many minibatches each has.
    UPDATES,
    /// Minibatches.
    STEPS
  }

  /// No exploration, as in Qlib.
  public static final Exploration NONE = new Exploration(0, 0, 0, Fade.LINEAR, Clock.UPDATES);

  /// The threshold below which numpy, and so tianshou, treats a number as 0.
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

  /// Returns `greedy`, or with probability `epsilon` a random action.
  ///
  /// @param draws numbers from [0, 1): the first decides whether to explore, the others belong to
  ///   one action each, and the highest wins
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

  public Exploration withStart(double other) {
    return new Exploration(other, end, duration, fade, clock);
  }

  public Exploration withEnd(double other) {
    return new Exploration(start, other, duration, fade, clock);
  }

  public Exploration withDuration(long other) {
    return new Exploration(start, end, other, fade, clock);
  }

  public Exploration withFade(Fade other) {
    return new Exploration(start, end, duration, other, clock);
  }

  public Exploration withClock(Clock other) {
    return new Exploration(start, end, duration, fade, other);
  }
}
