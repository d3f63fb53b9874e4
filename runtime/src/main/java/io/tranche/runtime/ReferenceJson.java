package io.tranche.runtime;

import io.tranche.policy.state.Fields;
import io.tranche.policy.state.PlainJson;
import io.tranche.policy.weights.CheckpointException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// [ReferenceStatistics] as JSON.
final class ReferenceJson {

  private ReferenceJson() {}

  static byte[] write(ReferenceStatistics statistics) {
    var features = new ArrayList<LinkedHashMap<String, Object>>();
    for (ReferenceStatistics.Feature each : statistics.features()) {
      var feature = new LinkedHashMap<String, Object>();
      feature.put("name", each.name());
      feature.put("mean", each.mean());
      feature.put("deviation", each.deviation());
      features.add(feature);
    }
    var fields = new LinkedHashMap<String, Object>();
    fields.put("orders", statistics.orders());
    fields.put("decisions", statistics.decisions());
    fields.put("features", features);
    fields.put("actions", statistics.actions());
    return PlainJson.write(fields);
  }

  /// @param spec the model that the statistics describe
  static ReferenceStatistics read(String where, byte[] bytes, ModelSpec spec) {
    var fields = new Fields(where, PlainJson.read(where, bytes));
    List<String> columns = spec.features().columns().today();
    Fields features = fields.field("features");
    if (features.list().size() != columns.size()) {
      throw new CheckpointException(
          features.where(),
          "one per feature, %d".formatted(columns.size()),
          features.list().size());
    }
    try {
      var read = new ArrayList<ReferenceStatistics.Feature>();
      for (int i = 0; i < columns.size(); i++) {
        Fields each = features.item(i);
        Fields name = each.field("name");
        if (!name.text().equals(columns.get(i))) {
          throw new CheckpointException(name.where(), columns.get(i), name.text());
        }
        read.add(
            new ReferenceStatistics.Feature(
                name.text(), each.field("mean").number(), each.field("deviation").number()));
      }
      Fields actions = fields.field("actions");
      var shares = new ArrayList<Double>();
      for (int i = 0; i < actions.list().size(); i++) {
        shares.add(actions.item(i).number());
      }
      return new ReferenceStatistics(
          fields.field("orders").count(), fields.field("decisions").count(), read, shares);
    } catch (IllegalArgumentException e) {
      throw new CheckpointException(where, "statistics", e.getMessage(), e);
    }
  }
}
