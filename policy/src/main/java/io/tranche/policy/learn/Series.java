package io.tranche.policy.learn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Several named series with one number per minibatch.
public final class Series {

  private final List<String> names;
  private double[] numbers = new double[64];
  private int size;

  public Series(String... names) {
    this.names = List.of(names);
  }

  /// Returns how many minibatches there were.
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
