package io.tranche.work.tuning;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Some finished iterations of a trial.
///
/// @param iterations how many the trial has had so far
/// @param hasEnded whether it stopped early by itself
/// @param points the metric in these iterations
/// @param skipped the orders that were left out, one line for each
/// @param failure why it cannot go on; null if it can
record TrialSegment(
    int iterations,
    boolean hasEnded,
    List<Point> points,
    List<String> skipped,
    @Nullable Failure failure) {

  TrialSegment {
    points = List.copyOf(points);
    skipped = List.copyOf(skipped);
  }

  static TrialSegment failed(Failure failure) {
    return new TrialSegment(0, false, List.of(), List.of(), failure);
  }

  /// Adds this segment to a line of the log, or to a message.
  ObjectNode addTo(ObjectNode line) {
    line.put("iterations", iterations).put("ended", hasEnded);
    var curve = line.putArray("points");
    points.forEach(
        point -> curve.addArray().add(point.iteration()).add(TrialMessage.number(point.value())));
    if (!skipped.isEmpty()) {
      skipped.forEach(line.putArray("skipped")::add);
    }
    return line.put("failure", failure == null ? null : failure.kind().name())
        .put("reason", failure == null ? null : failure.reason());
  }

  /// @throws JacksonException if the line holds something else
  /// @throws IllegalArgumentException if the kind of failure or a number is unknown
  static TrialSegment read(JsonNode line) {
    var points = new ArrayList<Point>();
    for (JsonNode each : line.required("points")) {
      points.add(new Point(each.required(0).intValue(), TrialMessage.number(each.required(1))));
    }
    var skipped = new ArrayList<String>();
    line.path("skipped").forEach(each -> skipped.add(each.stringValue()));
    JsonNode failure = line.required("failure");
    return new TrialSegment(
        line.required("iterations").intValue(),
        line.required("ended").booleanValue(),
        points,
        skipped,
        failure.isNull()
            ? null
            : new Failure(
                Failure.Kind.valueOf(failure.stringValue()),
                line.required("reason").stringValue()));
  }
}
