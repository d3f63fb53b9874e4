package io.tranche.env.vector;

import io.tranche.config.ConfigException;
import io.tranche.env.EpisodeFailure;
import io.tranche.env.Observation;
import java.util.ArrayList;
import java.util.List;

/// Collects the episodes that ended in an exception.
final class Quarantine {

  private final VectorConfig config;
  private List<EpisodeFailure> failures = new ArrayList<>();
  private int consecutive;

  Quarantine(VectorConfig config) {
    this.config = config;
  }

  /// Reports the slots that failed and returns them.
  ///
  /// @throws RuntimeException if failures are to end the collect, or there are too many in a row
  <I, O extends Observation> List<Slot<I, O>> sift(List<Slot<I, O>> answered) {
    List<Slot<I, O>> failed = List.of();
    for (Slot<I, O> slot : answered) {
      Throwable cause = slot.failure();
      if (cause == null) {
        // Only a step proves that the problem works: broken ones often begin well.
        consecutive = slot.last() == null ? consecutive : 0;
        continue;
      }
      if (failed.isEmpty()) {
        failed = new ArrayList<>();
      }
      failed.add(slot);
      if (cause instanceof Error) {
        // Such as lack of memory: not the fault of the episode, but its name helps to find the
        // cause.
        throw new EnvironmentException(slot.report(unchecked(cause)).toString(), cause);
      }
      add(slot.report(episodeFailure(cause)));
    }
    return failed;
  }

  private RuntimeException episodeFailure(Throwable cause) {
    RuntimeException exception = unchecked(cause);
    // A wrong configuration concerns all episodes.
    if (config.onFailure() == OnFailure.PROPAGATE || exception instanceof ConfigException) {
      throw exception;
    }
    return exception;
  }

  private static RuntimeException unchecked(Throwable cause) {
    return cause instanceof RuntimeException unchecked
        ? unchecked
        : new EnvironmentException("an episode failed: " + cause, cause);
  }

  private void add(EpisodeFailure failure) {
    failures.add(failure);
    consecutive++;
    if (consecutive > config.maxConsecutiveFailures()) {
      throw new EnvironmentException(
          "at most %d episodes in a row may fail, was %d; the last: %s"
              .formatted(config.maxConsecutiveFailures(), consecutive, failure),
          failure.cause());
    }
  }

  List<EpisodeFailure> take() {
    List<EpisodeFailure> taken = List.copyOf(failures);
    failures = new ArrayList<>();
    return taken;
  }
}
