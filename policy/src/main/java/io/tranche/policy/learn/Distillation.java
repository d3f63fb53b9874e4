package io.tranche.policy.learn;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import java.util.List;
import java.util.function.Function;

/// A teacher that sees more than its student, and the weight of its advice: oracle policy
/// distillation (Fang et al., 2021). Not thread-safe.
///
/// For each observation of the student, the teacher says what it would have done. The student's
/// loss then has the term `-weight * log p(that action)` in addition to those of its own algorithm.
///
/// @param <O> the student's observation
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

  /// @param teacher acts in evaluation mode, with the same actions as the student
  /// @param eyes returns the teacher's observation for a student's observation
  /// @param weight of the term, usually 0.01 to 1: as large as the teacher is trusted (Fang et al.
  ///   2021, arXiv 2103.10860, 4.3, `mu`)
  /// @param <O> the student's observation
  /// @param <T> the teacher's observation
  public static <O extends Observation, T extends Observation> Distillation<O> of(
      Policy<T> teacher, Function<? super O, ? extends T> eyes, double weight) {
    return new Distillation<>(
        observations -> {
          List<T> seen = observations.stream().<T>map(eyes).toList();
          // Evaluation draws nothing, so any keys will do.
          return teacher.act(seen, new long[seen.size()], Policy.Mode.EVALUATE);
        },
        weight);
  }

  public double weight() {
    return weight;
  }

  /// Returns the teacher's actions.
  public Action[] advise(List<O> observations) {
    return teacher.apply(observations);
  }
}
