package io.tranche.trainer;

import io.tranche.trainer.TrainingProgress.Moment;
import io.tranche.trainer.TrainingProgress.Phase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Measures how fast a phase goes.
final class PhaseClock {

  private static final double NANOS = 1e9;

  private final InstantSource clock;
  private Phase phase = Phase.COLLECT;
  private long total;
  private Instant start = Instant.EPOCH;

  PhaseClock(InstantSource clock) {
    this.clock = clock;
  }

  void begin(Phase next, long episodes) {
    phase = next;
    total = episodes;
    start = clock.instant();
  }

  Moment moment(
      long iteration, @Nullable Integer maxIterations, long done, Map<String, Double> means) {
    double seconds = Duration.between(start, clock.instant()).toNanos() / NANOS;
    return new Moment(
        iteration,
        maxIterations,
        phase,
        done,
        total,
        seconds > 0 ? done / seconds : Double.NaN,
        means);
  }
}
