package io.tranche.policy.agent;

import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.policy.weights.CheckpointException;
import java.util.ArrayList;
import java.util.List;

/// The bounds of continuous actions, and the map from logits to them. Hot path: only [#action]
/// allocates.
///
/// @param count the numbers of an action
/// @param low the least value of each
/// @param high the greatest value of each
/// @param isScalar whether actions are single numbers instead of lists
/// @param invalid what happens to an action that is not finite
public record Bounds(int count, double low, double high, boolean isScalar, InvalidActions invalid) {

  /// Draws stay within this logit, about 1e-7 of the range away from the bounds, so that the logit
  /// of an action can be recovered from its value.
  static final double MOST = 16;

  static boolean fit(Space.Box box) {
    return box.shape().size() <= 1
        && (box.shape().isEmpty() || box.shape().getFirst() > 0)
        && Double.isFinite(box.low())
        && Double.isFinite(box.high())
        && box.low() < box.high();
  }

  static Bounds of(Space.Box box, InvalidActions invalid) {
    boolean isScalar = box.shape().isEmpty();
    return new Bounds(
        isScalar ? 1 : box.shape().getFirst(), box.low(), box.high(), isScalar, invalid);
  }

  public double range() {
    return high - low;
  }

  /// Returns the value at a logit; the bounds beyond [#MOST].
  double value(double logit) {
    double part = range() / (1 + Math.exp(Math.abs(logit)));
    double value = logit < 0 ? low + part : high - part;
    return Math.clamp(value, low, high);
  }

  /// Returns the logit of a value, at most [#MOST] from 0.
  float logit(double value) {
    double logit = Math.log(value - low) - Math.log(high - value);
    return (float) Math.clamp(logit, -MOST, MOST);
  }

  /// Returns the value at a fraction of the range as a float, as decisions use it. A fraction that
  /// is NaN is treated as the configuration says.
  ///
  /// @throws CheckpointException if the fraction is NaN and that is an error
  float decided(double fraction) {
    if (Double.isNaN(fraction)) {
      if (invalid == InvalidActions.ERROR) {
        throw new CheckpointException(
            "policy",
            "an action in [%s, %s], or invalid_actions: bound".formatted(low, high),
            "NaN");
      }
      return (float) low;
    }
    // Rounding to a float must not leave the bounds.
    return (float) Math.clamp(low + range() * fraction, (float) low, (float) high);
  }

  /// Returns the logit that is drawn, at most [#MOST] from 0.
  ///
  /// @throws CheckpointException if it is NaN and that is an error
  double drawn(double logit) {
    if (Double.isNaN(logit)) {
      decided(logit);
      return -MOST;
    }
    return Math.clamp(logit, -MOST, MOST);
  }

  void encode(Action action, float[] target, int at) {
    switch (action) {
      case Action.Continuous(double value) when isScalar -> target[at] = logit(value);
      case Action.Vector(var values) when !isScalar && values.size() == count -> {
        for (int i = 0; i < count; i++) {
          target[at + i] = logit(values.get(i));
        }
      }
      case Action.Continuous _, Action.Vector _, Action.Discrete _ ->
          throw new IllegalArgumentException(
              "action must be %d real numbers, was %s".formatted(count, action));
    }
  }

  /// Returns an action of these values.
  Action action(double[] values) {
    if (isScalar) {
      return new Action.Continuous(values[0]);
    }
    List<Double> list = new ArrayList<>(count);
    for (double value : values) {
      list.add(value);
    }
    return new Action.Vector(list);
  }
}
