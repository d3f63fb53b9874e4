package io.tranche.runtime;

import io.tranche.policy.weights.Precision;
import io.tranche.policy.weights.StateDict;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A complete model: together with the bars it determines every decision. [BundleFile] stores it.
///
/// @param members the weights of each policy of an ensemble, under Qlib's keys; usually one
/// @param metrics the validation metrics of the first member
/// @param precision the number format of the weights in a file; the members are rounded to it
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
          "sources must be one per member, was %d of %d"
              .formatted(lineage.sources().size(), members.size()));
    }
  }

  /// Returns this bundle with weights of another precision.
  public ModelBundle with(Precision other, List<StateDict> rounded) {
    return new ModelBundle(spec, rounded, lineage, metrics, other, reference);
  }

  /// Returns this bundle with reference statistics.
  public ModelBundle with(ReferenceStatistics statistics) {
    return new ModelBundle(spec, members, lineage, metrics, precision, statistics);
  }
}
