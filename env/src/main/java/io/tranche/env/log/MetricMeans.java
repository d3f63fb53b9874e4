package io.tranche.env.log;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// Running means of metrics, each over the episodes that had it.
final class MetricMeans {

  private final Map<String, Double> sums = new LinkedHashMap<>();
  private final Map<String, Integer> counts = new LinkedHashMap<>();

  void clear() {
    sums.clear();
    counts.clear();
  }

  void add(Map<String, Double> metrics) {
    metrics.forEach(
        (name, value) -> {
          sums.merge(name, value, Double::sum);
          counts.merge(name, 1, Integer::sum);
        });
  }

  Map<String, Double> sums() {
    return Collections.unmodifiableMap(sums);
  }

  Map<String, Integer> counts() {
    return Collections.unmodifiableMap(counts);
  }

  double mean(String name) {
    return sums.getOrDefault(name, Double.NaN) / counts.getOrDefault(name, 0);
  }

  Map<String, Double> means() {
    var means = new LinkedHashMap<String, Double>();
    sums.keySet().forEach(name -> means.put(name, mean(name)));
    return means;
  }
}
