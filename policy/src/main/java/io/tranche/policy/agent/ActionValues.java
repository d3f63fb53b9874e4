package io.tranche.policy.agent;

import io.tranche.tensor.Rows;
import io.tranche.tensor.Softmax;

/// Reads the outputs of a model's head as values of actions: the quantiles of the first action,
/// then those of the second, and so on. Hot path: allocates nothing.
public final class ActionValues {

  private final int choices;
  private final int quantiles;
  private final boolean softmax;

  /// The weight of each quantile when actions are compared: the tail may end within one.
  private final float[] shares;

  /// @param choices number of actions
  /// @param quantiles number of quantiles of an action's return; 1 for plain values
  /// @param tail share of the worst quantiles by which actions are compared; 1 for all
  /// @param softmax whether values are probabilities, as in Qlib, instead of arbitrary numbers
  public ActionValues(int choices, int quantiles, double tail, boolean softmax) {
    this.choices = choices;
    this.quantiles = quantiles;
    this.softmax = softmax;
    this.shares = new float[quantiles];
    double counted = tail * quantiles;
    for (int i = 0; i < quantiles; i++) {
      shares[i] = (float) (Math.clamp(counted - i, 0.0, 1.0) / counted);
    }
  }

  public boolean softmax() {
    return softmax;
  }

  /// Returns a copy of the weights of the quantiles when actions are compared.
  public float[] shares() {
    return shares.clone();
  }

  public int choices() {
    return choices;
  }

  public int quantiles() {
    return quantiles;
  }

  /// Returns the number of outputs of the head.
  public int width() {
    return Math.multiplyExact(choices, quantiles);
  }

  /// Turns outputs into values, in place.
  public void read(int count, Rows outputs) {
    if (softmax) {
      Softmax.forward(count, choices, outputs);
    }
  }

  /// Turns gradients of values into gradients of outputs, in place.
  public void readBackward(int count, Rows values, Rows gradients) {
    if (softmax) {
      Softmax.backward(count, choices, values, gradients);
    }
  }

  /// Writes the score of each action of the row that begins at `at` to `target`.
  public void score(float[] values, int at, float[] target, int targetAt) {
    for (int action = 0; action < choices; action++) {
      target[targetAt + action] = worth(values, at + action * quantiles);
    }
  }

  /// Returns the first of the best actions of the row that begins at `at`.
  public int best(float[] values, int at) {
    int best = 0;
    float highest = worth(values, at);
    for (int action = 1; action < choices; action++) {
      float worth = worth(values, at + action * quantiles);
      if (worth > highest) {
        best = action;
        highest = worth;
      }
    }
    return best;
  }

  private float worth(float[] values, int at) {
    float sum = shares[0] * values[at];
    for (int i = 1; i < quantiles; i++) {
      sum += shares[i] * values[at + i];
    }
    return sum;
  }
}
