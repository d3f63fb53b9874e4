package io.tranche.policy.agent;

/// Choices by probability, with torch's clamping: the argument of a logarithm is at least float32's
/// epsilon and at most 1 minus it. Hot path: allocates nothing.
public final class Categorical {

  /// Float32's epsilon, 2^-23.
  private static final float EDGE = 0x1p-23f;

  private Categorical() {}

  public static float logarithm(float probability) {
    return (float) Math.log(Math.min(Math.max(probability, EDGE), 1 - EDGE));
  }

  /// Returns the derivative of [#logarithm]: 0 where the probability is clamped.
  public static float slope(float probability) {
    return probability >= EDGE && probability <= 1 - EDGE ? 1 / probability : 0;
  }

  public static float entropy(float[] probabilities, int at, int count) {
    float sum = 0;
    for (int i = at; i < at + count; i++) {
      sum -= probabilities[i] * logarithm(probabilities[i]);
    }
    return sum;
  }

  /// Returns the first of the likeliest choices.
  public static int likeliest(float[] probabilities, int at, int count) {
    int best = 0;
    for (int i = 1; i < count; i++) {
      if (probabilities[at + i] > probabilities[at + best]) {
        best = i;
      }
    }
    return best;
  }

  /// Returns the choice that `uniform`, a draw from [0, 1), selects.
  static int draw(float[] probabilities, int at, int count, double uniform) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += probabilities[at + i];
    }
    double left = uniform * sum;
    for (int i = 0; i < count; i++) {
      left -= probabilities[at + i];
      if (left < 0) {
        return i;
      }
    }
    // Rounding may leave a little over, which goes to the last choice with a positive probability.
    int last = count - 1;
    while (last > 0 && probabilities[at + last] == 0) {
      last--;
    }
    return last;
  }
}
