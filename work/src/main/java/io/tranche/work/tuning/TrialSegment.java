package io.tranche.work.tuning;

import io.tranche.policy.state.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Some iterations of a trial that are done.
///
/// @param iterations how many it has behind it now
/// @param hasEnded whether it stopped early by itself
/// @param points the metric in these iterations
/// @param failure why there will be no more; null if there can be
record TrialSegment(
    int iterations, boolean hasEnded, List<Point> points, @Nullable Failure failure) {

  TrialSegment {
    points = List.copyOf(points);
  }

  static TrialSegment failed(int iterations, Failure failure) {
    return new TrialSegment(iterations, false, List.of(), failure);
  }

  Map<String, @Nullable Object> words() {
    var words = new LinkedHashMap<String, @Nullable Object>();
    words.put("iterations", iterations);
    words.put("ended", hasEnded);
    words.put(
        "points",
        points.stream().<Object>map(point -> List.of(point.iteration(), point.value())).toList());
    words.put("failure", failure == null ? null : failure.kind().name());
    words.put("reason", failure == null ? null : failure.reason());
    return words;
  }

  /// @throws io.tranche.policy.weights.CheckpointException if they are the words of something else
  static TrialSegment of(Fields words) {
    var points = new ArrayList<Point>();
    for (Object each : words.field("points").list()) {
      var pair = new Fields(words.where() + ": points", each);
      points.add(new Point(count(pair.item(0)), pair.item(1).number()));
    }
    Fields failure = words.field("failure");
    return new TrialSegment(
        count(words.field("iterations")),
        Boolean.TRUE.equals(words.field("ended").value()),
        points,
        failure.value() == null
            ? null
            : new Failure(failure.constant(Failure.Kind.values()), words.field("reason").text()));
  }

  private static int count(Fields field) {
    return Math.clamp(field.count(), 0, Integer.MAX_VALUE);
  }
}
