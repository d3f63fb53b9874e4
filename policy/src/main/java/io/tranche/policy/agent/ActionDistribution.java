package io.tranche.policy.agent;

import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.tensor.Rows;
import org.jspecify.annotations.Nullable;

/// The distribution of an actor's actions in one state. A row of the actor's outputs is its
/// parameters.
///
/// Experience keeps an action as a few floats, its code: a choice's index, or for each number of a
/// continuous action the logit of its place between the bounds, which is exact near them.
///
/// Hot path: nothing here allocates, except the actions that are returned.
public sealed interface ActionDistribution permits Categorical, SquashedGaussian, BoundedBeta {

  /// The distribution of continuous actions.
  enum Head {
    /// A Gaussian, squashed to the bounds by a logistic function.
    GAUSSIAN,
    /// A Beta distribution with one mode (Chou et al., 2017).
    BETA
  }

  /// Returns the distribution over a space of continuous actions with finite bounds, or over
  /// choices; null for any other space.
  ///
  /// @param head for continuous actions
  /// @param invalid for continuous actions
  static @Nullable ActionDistribution over(Space actions, Head head, InvalidActions invalid) {
    return switch (actions) {
      case Space.Discrete(int choices) -> new Categorical(choices);
      case Space.Box box when Bounds.fit(box) -> {
        Bounds bounds = Bounds.of(box, invalid);
        yield switch (head) {
          case GAUSSIAN -> new SquashedGaussian(bounds);
          case BETA -> new BoundedBeta(bounds);
        };
      }
      default -> null;
    };
  }

  /// Returns the number of an actor's outputs.
  int outputs();

  /// Returns the number of floats in an action's code.
  int codeWidth();

  /// Returns how many numbers [#score] writes.
  int scores();

  /// Returns the bounds of continuous actions; null if actions are choices.
  @Nullable Bounds bounds();

  /// Turns outputs into parameters, in place.
  default void read(int count, Rows outputs) {}

  /// Turns gradients of parameters into gradients of outputs, in place.
  default void readBackward(int count, Rows parameters, Rows gradients) {}

  /// Writes the code of `action` to `target`, from `at` on.
  void encode(Action action, float[] target, int at);

  /// Returns the logarithm of the probability, or density, of the action with the code at `codeAt`.
  float logProbability(float[] parameters, int at, float[] codes, int codeAt);

  /// Writes the derivatives of [#logProbability] by each parameter to `slopes`.
  void logSlopes(float[] parameters, int at, float[] codes, int codeAt, float[] slopes);

  float entropy(float[] parameters, int at);

  /// Writes the derivatives of [#entropy] by each parameter to `slopes`.
  void entropySlopes(float[] parameters, int at, float[] slopes);

  /// Returns the action that the random `key` draws.
  Action draw(float[] parameters, int at, long key);

  /// Returns the action of an evaluation.
  Action best(float[] parameters, int at);

  /// Writes what decisions outside training need: the probability of each choice, or the numbers of
  /// the best action.
  void score(float[] parameters, int at, float[] scores, int to);

  /// Returns outputs, the same in every state, whose actions are `values` on average: a start that
  /// does not depend on the state.
  ///
  /// @param values one number for each of a continuous action
  default float[] centredAt(double... values) {
    throw new IllegalStateException("actions must be continuous, were choices");
  }
}
