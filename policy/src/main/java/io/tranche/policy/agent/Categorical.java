package io.tranche.policy.agent;

import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Softmax;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Choices by probability, with torch's clamping: the argument of a logarithm is at least float32's
/// epsilon and at most 1 minus it. Hot path: allocates nothing.
public final class Categorical implements ActionDistribution {

  /// Float32's epsilon, 2^-23.
  private static final float EDGE = 0x1p-23f;

  /// Each distinct action, created once.
  private final Action[] menu;

  /// @param choices number of actions
  public Categorical(int choices) {
    menu = menu(choices);
  }

  static Action[] menu(int choices) {
    var menu = new Action[choices];
    Arrays.setAll(menu, Action.Discrete::new);
    return menu;
  }

  @Override
  public int outputs() {
    return menu.length;
  }

  @Override
  public int codeWidth() {
    return 1;
  }

  @Override
  public int scores() {
    return menu.length;
  }

  @Override
  public @Nullable Bounds bounds() {
    return null;
  }

  @Override
  public void read(int count, Rows outputs) {
    Softmax.forward(count, menu.length, outputs);
  }

  @Override
  public void readBackward(int count, Rows parameters, Rows gradients) {
    Softmax.backward(count, menu.length, parameters, gradients);
  }

  @Override
  public void encode(Action action, float[] target, int at) {
    if (!(action instanceof Action.Discrete(int choice)) || choice < 0 || choice >= menu.length) {
      throw new IllegalArgumentException(
          "action must be one of %d choices, was %s".formatted(menu.length, action));
    }
    target[at] = choice;
  }

  @Override
  public float logProbability(float[] parameters, int at, float[] codes, int codeAt) {
    return logarithm(parameters[at + (int) codes[codeAt]]);
  }

  @Override
  public void logSlopes(float[] parameters, int at, float[] codes, int codeAt, float[] slopes) {
    Arrays.fill(slopes, 0, menu.length, 0);
    int choice = (int) codes[codeAt];
    slopes[choice] = slope(parameters[at + choice]);
  }

  @Override
  public float entropy(float[] parameters, int at) {
    return entropy(parameters, at, menu.length);
  }

  @Override
  public void entropySlopes(float[] parameters, int at, float[] slopes) {
    for (int i = 0; i < menu.length; i++) {
      float held = parameters[at + i] * slope(parameters[at + i]);
      slopes[i] = -(logarithm(parameters[at + i]) + held);
    }
  }

  @Override
  public Action draw(float[] parameters, int at, long key) {
    return menu[draw(parameters, at, menu.length, RandomTree.uniform(key))];
  }

  @Override
  public Action best(float[] parameters, int at) {
    return menu[likeliest(parameters, at, menu.length)];
  }

  @Override
  public void score(float[] parameters, int at, float[] scores, int to) {
    System.arraycopy(parameters, at, scores, to, menu.length);
  }

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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Categorical that && that.menu.length == menu.length;
  }

  @Override
  public int hashCode() {
    return menu.length;
  }

  @Override
  public String toString() {
    return "Categorical[" + menu.length + "]";
  }
}
