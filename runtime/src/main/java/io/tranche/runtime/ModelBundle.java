package io.tranche.runtime;

import io.tranche.policy.weights.Precision;
import io.tranche.policy.weights.StateDict;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A model whole: whoever has it and the bars has its decisions. [BundleFile] puts it into a file.
///
/// @param members the weights of each policy of an ensemble, under Qlib's keys; mostly one
/// @param metrics what validation said of the first member
/// @param precision in what numbers a file holds the weights; the members are rounded to it
/// @param reference what the model saw and did on orders it was not trained on; null if not known
public record ModelBundle(
    ModelSpec spec,
    List<StateDict> members,
    Lineage lineage,
    Map<String, Double> metrics,
    Precision precision,
    @Nullable ReferenceStatistics reference) {

  /// How many members an ensemble has at most.
  public static final int MAX_MEMBERS = 100;

  /// A bundle in float32 without reference statistics.
  public ModelBundle(
      ModelSpec spec, List<StateDict> members, Lineage lineage, Map<String, Double> metrics) {
    this(spec, members, lineage, metrics, Precision.FLOAT32, null);
  }

  public ModelBundle {
    members = List.copyOf(members);
    metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    if (members.isEmpty() || members.size() > MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "members must be 1 to %d, was %d".formatted(MAX_MEMBERS, members.size()));
    }
    if (lineage.sources().size() != members.size()) {
      throw new IllegalArgumentException(
          "sources must be one a member, was %d of %d"
              .formatted(lineage.sources().size(), members.size()));
    }
  }

  /// Returns the same with other numbers for weights.
  public ModelBundle with(Precision other, List<StateDict> rounded) {
    return new ModelBundle(spec, rounded, lineage, metrics, other, reference);
  }

  /// Returns the same with reference statistics.
  public ModelBundle with(ReferenceStatistics statistics) {
    return new ModelBundle(spec, members, lineage, metrics, precision, statistics);
  }
}
