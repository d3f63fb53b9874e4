package io.tranche.runtime;

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
/// @param reference what it saw and did in validation; null if nobody noted that
public record ModelBundle(
    ModelSpec spec,
    List<StateDict> members,
    Lineage lineage,
    Map<String, Double> metrics,
    @Nullable Reference reference) {

  /// How many members an ensemble has at most.
  public static final int MAX_MEMBERS = 100;

  /// A bundle without reference statistics.
  public ModelBundle(
      ModelSpec spec, List<StateDict> members, Lineage lineage, Map<String, Double> metrics) {
    this(spec, members, lineage, metrics, null);
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
}
