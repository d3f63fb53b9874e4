package io.tranche.policy.learn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The results of an update.
///
/// @param series one number per minibatch, by name, such as `loss/clip`
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

  /// Several named series with one number per minibatch.
  public static final class Series {

    private final List<String> names;
    private double[] numbers = new double[64];
    private int size;

    public Series(String... names) {
      this.names = List.of(names);
    }

    /// Returns the number of minibatches.
    public int size() {
      return size / names.size();
    }

    /// Adds the number for the next name.
    public void put(double value) {
      if (size == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * size);
      }
      numbers[size++] = value;
    }

    public UpdateReport toReport() {
      Map<String, List<Double>> series = new LinkedHashMap<>();
      for (int i = 0; i < names.size(); i++) {
        var values = new ArrayList<Double>();
        for (int at = i; at < size; at += names.size()) {
          values.add(numbers[at]);
        }
        series.put(names.get(i), values);
      }
      return new UpdateReport(series);
    }
  }
}
