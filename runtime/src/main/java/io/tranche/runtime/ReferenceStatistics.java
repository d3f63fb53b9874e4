package io.tranche.runtime;

import io.tranche.policy.state.Fields;
import io.tranche.policy.state.PlainJson;
import io.tranche.policy.weights.CheckpointException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;

/// Statistics of a model's features and choices on orders that it was not trained on. A monitor
/// compares live days with them.
///
/// @param orders the number of orders it worked
/// @param decisions the number of decisions it took
/// @param features one per column of today, in their order, before any mirroring
/// @param actions the share of each choice; the sum is 1
public record ReferenceStatistics(
    long orders, long decisions, List<Feature> features, List<Double> actions) {

  /// @param name the column
  /// @param deviation the standard deviation
  /// @param edges between bins, rising; none in bundles of older versions
  /// @param shares of the values in each bin, one more than edges; none if there are no values
  public record Feature(
      String name, double mean, double deviation, List<Double> edges, List<Double> shares) {

    /// A feature of which only moments are known.
    public Feature(String name, double mean, double deviation) {
      this(name, mean, deviation, List.of(), List.of());
    }

    /// Returns the bin of a value: how many edges it is above.
    public static int bin(double[] edges, double value) {
      int at = Arrays.binarySearch(edges, value);
      return at < 0 ? -at - 1 : at;
    }

    public Feature {
      edges = List.copyOf(edges);
      shares = List.copyOf(shares);
      boolean isRising = true;
      for (int i = 0; i < edges.size(); i++) {
        isRising &= Double.isFinite(edges.get(i)) && (i == 0 || edges.get(i) > edges.get(i - 1));
      }
      if (!isRising
          || (shares.isEmpty() ? !edges.isEmpty() : shares.size() != edges.size() + 1)
          || !shares.stream().allMatch(each -> each >= 0 && each <= 1)) {
        throw new IllegalArgumentException(
            "edges must rise, with one share in [0, 1] more than edges, was %s and %s"
                .formatted(edges, shares));
      }
      if (!Double.isFinite(mean) || !(deviation >= 0) || Double.isInfinite(deviation)) {
        throw new IllegalArgumentException(
            "mean and deviation must be finite, deviation not negative, was %s and %s"
                .formatted(mean, deviation));
      }
    }
  }

  public ReferenceStatistics {
    features = List.copyOf(features);
    actions = List.copyOf(actions);
    if (orders < 0 || decisions < 0) {
      throw new IllegalArgumentException(
          "orders and decisions must not be negative, was %d and %d".formatted(orders, decisions));
    }
    for (double share : actions) {
      if (!(share >= 0 && share <= 1)) {
        throw new IllegalArgumentException("actions must be shares in [0, 1], was " + actions);
      }
    }
  }

  byte[] toJson() {
    var columns = new ArrayList<LinkedHashMap<String, Object>>();
    for (Feature each : features) {
      var feature = new LinkedHashMap<String, Object>();
      feature.put("name", each.name());
      feature.put("mean", each.mean());
      feature.put("deviation", each.deviation());
      if (!each.shares().isEmpty()) {
        feature.put("edges", each.edges());
        feature.put("shares", each.shares());
      }
      columns.add(feature);
    }
    var fields = new LinkedHashMap<String, Object>();
    fields.put("orders", orders);
    fields.put("decisions", decisions);
    fields.put("features", columns);
    fields.put("actions", actions);
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
      var read = new ArrayList<Feature>();
      for (int i = 0; i < columns.size(); i++) {
        Fields each = features.item(i);
        Fields name = each.field("name");
        if (!name.text().equals(columns.get(i))) {
          throw new CheckpointException(name.where(), columns.get(i), name.text());
        }
        read.add(
            new Feature(
                name.text(),
                each.field("mean").number(),
                each.field("deviation").number(),
                each.map().containsKey("edges") ? numbers(each.field("edges")) : List.of(),
                each.map().containsKey("shares") ? numbers(each.field("shares")) : List.of()));
      }
      return new ReferenceStatistics(
          fields.field("orders").count(),
          fields.field("decisions").count(),
          read,
          numbers(fields.field("actions")));
    } catch (IllegalArgumentException e) {
      throw new CheckpointException(where, "statistics", e.getMessage(), e);
    }
  }

  private static List<Double> numbers(Fields list) {
    var numbers = new ArrayList<Double>();
    for (int i = 0; i < list.list().size(); i++) {
      numbers.add(list.item(i).number());
    }
    return numbers;
  }
}
