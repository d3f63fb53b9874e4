package io.tranche.runtime;

import io.tranche.policy.archive.Fields;
import io.tranche.policy.archive.PlainJson;
import io.tranche.policy.weights.CheckpointException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a model saw and did where it was validated: what is seen live can be held against it.
///
/// @param features one for each of today's columns, as the bars give them: not mirrored
/// @param actions how often each choice was taken; they add up to 1
public record Reference(List<Feature> features, List<Double> actions) {

  private static final double TOLERANCE = 1e-6;

  /// What the values of a column were like.
  public record Feature(double mean, double deviation) {
    public Feature {
      if (!Double.isFinite(mean) || !(deviation >= 0 && deviation < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "mean and deviation must be finite, was %s and %s".formatted(mean, deviation));
      }
    }
  }

  public Reference {
    features = List.copyOf(features);
    actions = List.copyOf(actions);
    double sum = 0;
    for (double frequency : actions) {
      if (!(frequency >= 0)) {
        throw new IllegalArgumentException(
            "frequencies must not be negative, was %s".formatted(actions));
      }
      sum += frequency;
    }
    if (Math.abs(sum - 1) > TOLERANCE) {
      throw new IllegalArgumentException("frequencies must add up to 1, was %s".formatted(sum));
    }
  }

  byte[] toJson() {
    var columns = new ArrayList<Map<String, Object>>();
    for (Feature each : features) {
      var column = new LinkedHashMap<String, Object>();
      column.put("mean", each.mean());
      column.put("deviation", each.deviation());
      columns.add(column);
    }
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("features", columns);
    fields.put("actions", actions);
    return PlainJson.write(fields);
  }

  /// @throws CheckpointException if it is something else, or not of the model
  static Reference read(String where, byte[] bytes, ModelSpec spec) {
    var fields = new Fields(where, PlainJson.read(where, bytes));
    Fields columns = fields.field("features");
    int width = spec.features().columns().today().size();
    if (columns.list().size() != width) {
      throw new CheckpointException(where, width + " features", columns.list().size());
    }
    var features = new ArrayList<Feature>();
    Fields frequencies = fields.field("actions");
    var actions = new ArrayList<Double>();
    try {
      for (int i = 0; i < width; i++) {
        Fields column = columns.item(i);
        features.add(
            new Feature(column.field("mean").number(), column.field("deviation").number()));
      }
      for (int i = 0; i < frequencies.list().size(); i++) {
        actions.add(frequencies.item(i).number());
      }
      return new Reference(features, actions);
    } catch (IllegalArgumentException e) {
      throw new CheckpointException(where, "statistics", String.valueOf(e.getMessage()), e);
    }
  }
}
