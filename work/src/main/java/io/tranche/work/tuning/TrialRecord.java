package io.tranche.work.tuning;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is known about a trial.
///
/// @param trained how many iterations were trained
/// @param points the metric in all these iterations
/// @param skipped the orders that were left out, one line for each
/// @param failure why it cannot go on; null if it can
record TrialRecord(
    Trial trial,
    int trained,
    boolean hasEnded,
    List<Point> points,
    List<String> skipped,
    @Nullable Failure failure) {

  TrialRecord {
    points = List.copyOf(points);
    skipped = List.copyOf(skipped);
  }

  static TrialRecord of(Trial trial) {
    return new TrialRecord(trial, 0, false, List.of(), List.of(), null);
  }

  /// Whether its state after `to` iterations is known without more training.
  boolean knows(int to) {
    return trained >= to || hasEnded || failure != null;
  }

  TrialRecord plus(TrialSegment segment) {
    if (segment.failure() != null) {
      return new TrialRecord(trial, trained, false, points, skipped, segment.failure());
    }
    var all = new ArrayList<>(points);
    all.addAll(segment.points());
    // Each segment checks the same orders.
    return new TrialRecord(
        trial, segment.iterations(), segment.hasEnded(), all, segment.skipped(), null);
  }

  /// Returns what was known after `to` iterations, without anything later.
  ///
  /// @param metric which must have a finite value, or the trial has failed
  TrialRecord after(int to, String metric) {
    List<Point> until = points.stream().filter(point -> point.iteration() <= to).toList();
    // A failure happens after the last trained iteration, an early end at it.
    Failure why = trained < to ? failure : null;
    if (why == null && until.isEmpty()) {
      why = new Failure(Failure.Kind.CONFIG, "the metric %s was never logged".formatted(metric));
    } else if (why == null && !Double.isFinite(until.getLast().value())) {
      why =
          new Failure(
              Failure.Kind.DIVERGED,
              "iteration %d: %s was %s"
                  .formatted(until.getLast().iteration(), metric, until.getLast().value()));
    }
    return new TrialRecord(
        trial, Math.min(trained, to), trained <= to && hasEnded, until, skipped, why);
  }
}
