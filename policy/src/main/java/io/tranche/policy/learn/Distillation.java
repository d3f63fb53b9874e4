package io.tranche.policy.learn;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import java.util.List;
import java.util.function.Function;

/// A teacher that sees more than its student, and the weight of its advice: oracle policy
/// distillation (Fang et al., 2021). Not thread-safe.
///
/// Where a student stood, the teacher says what it would have done there; the student's loss then
/// has the term `-weight * log p(that action)` beside those of its own algorithm.
///
/// @param <O> what the student sees
public final class Distillation<O extends Observation> {

  private final Function<List<O>, Action[]> teacher;
  private final double weight;

  private Distillation(Function<List<O>, Action[]> teacher, double weight) {
    if (!(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("weight must be positive and finite, was " + weight);
    }
    this.teacher = teacher;
    this.weight = weight;
  }

  /// @param teacher acts in evaluation mode; it has the student's actions
  /// @param eyes what the teacher sees where the student saw its observation
  /// @param <O> what the student sees
  /// @param <T> what the teacher sees
  public static <O extends Observation, T extends Observation> Distillation<O> of(
      Policy<T> teacher, Function<? super O, ? extends T> eyes, double weight) {
    return new Distillation<>(
        observations -> {
          List<T> seen = observations.stream().<T>map(eyes).toList();
          // Doing its best it draws nothing, so any keys will do.
          return teacher.act(seen, new long[seen.size()], Policy.Mode.EVALUATE);
        },
        weight);
  }

  public double weight() {
    return weight;
  }

  /// Writes what the teacher would do to `target`, from `at` on.
  public void advise(List<O> observations, int[] target, int at) {
    Action[] actions = teacher.apply(observations);
    for (int i = 0; i < actions.length; i++) {
      if (!(actions[i] instanceof Action.Discrete(int choice))) {
        throw new IllegalStateException("a teacher must choose, was " + actions[i]);
      }
      target[at + i] = choice;
    }
  }
}
