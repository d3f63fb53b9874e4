package io.tranche.trainer;

import io.tranche.policy.learn.DivergenceException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Training cannot continue: a number that it depends on is no longer finite.
public final class TrainingException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final long iteration;
  private final String term;
  private final transient @Nullable Path lastGood;

  /// @param iteration the iteration that failed, from 1
  /// @param lastGood the last checkpoint before it, or null if there is none
  TrainingException(long iteration, @Nullable Path lastGood, DivergenceException cause) {
    super(
        "iteration %d: %s; the last good checkpoint is %s"
            .formatted(iteration, cause.getMessage(), lastGood == null ? "none" : lastGood),
        cause);
    this.iteration = iteration;
    this.term = cause.term();
    this.lastGood = lastGood;
  }

  /// Returns the iteration that failed, from 1.
  public long iteration() {
    return iteration;
  }

  /// Returns what is not finite: a loss, or a tensor's gradient or weight.
  public String term() {
    return term;
  }

  /// Returns the last checkpoint before it, or null if there is none.
  public @Nullable Path lastGood() {
    return lastGood;
  }
}
