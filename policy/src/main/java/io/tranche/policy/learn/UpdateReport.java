package io.tranche.policy.learn;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What an update did.
///
/// @param series by name, such as `loss/clip`: one number per minibatch
public record UpdateReport(Map<String, List<Double>> series) {

  public UpdateReport {
    var copy = new LinkedHashMap<String, List<Double>>();
    series.forEach((name, values) -> copy.put(name, List.copyOf(values)));
    series = Collections.unmodifiableMap(copy);
  }

  /// Returns the mean of a series; NaN if it is empty or missing.
  public double mean(String name) {
    return series.getOrDefault(name, List.of()).stream()
        .mapToDouble(Double::doubleValue)
        .average()
        .orElse(Double.NaN);
  }
}
