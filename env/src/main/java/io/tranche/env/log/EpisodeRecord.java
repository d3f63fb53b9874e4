package io.tranche.env.log;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One episode as it was logged.
///
/// Both lists belong to the log and are valid until the environment is reset.
///
/// @param rewards one per step
/// @param steps the values that each step logged at the log's level or above, by name, in order
public record EpisodeRecord(List<Double> rewards, List<Map<String, @Nullable Object>> steps) {

  public int length() {
    return rewards.size();
  }

  /// Returns one number for each name under which steps logged doubles, see [#aggregate].
  public Map<String, Double> metrics() {
    var metrics = new LinkedHashMap<String, Double>();
    values(Double.class::isInstance)
        .forEach((name, value) -> metrics.put(name, ((Number) value).doubleValue()));
    return metrics;
  }

  /// Returns one value for each name, aggregated from the `wanted` values, in the order of first
  /// appearance.
  public Map<String, Object> values(Predicate<Object> wanted) {
    var byName = new LinkedHashMap<String, List<Object>>();
    for (var step : steps) {
      step.forEach(
          (name, value) -> {
            if (value != null && wanted.test(value)) {
              byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
            }
          });
    }
    var values = new LinkedHashMap<String, Object>();
    byName.forEach((name, all) -> values.put(name, aggregate(all, name)));
    return values;
  }

  /// Turns the values of several steps into one value for the episode: the mean of doubles (the sum
  /// for `reward`), or the first of other values. Qlib: `LogWriter.aggregation`.
  ///
  /// @throws IllegalArgumentException if there are no values
  public static Object aggregate(List<?> values, @Nullable String name) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("values to aggregate must not be empty, was " + name);
    }
    var numbers = new double[values.size()];
    for (int i = 0; i < numbers.length; i++) {
      if (!(values.get(i) instanceof Double number)) {
        return values.getFirst();
      }
      numbers[i] = number;
    }
    // Adding to zero makes a negative zero positive, as in numpy.
    double sum = 0.0 + pairwiseSum(numbers, 0, numbers.length);
    return "reward".equals(name) ? sum : sum / numbers.length;
  }

  /// Adds up in numpy's order, so that results are equal to the last bit.
  private static double pairwiseSum(double[] numbers, int from, int to) {
    int count = to - from;
    if (count > 128) {
      int half = count / 2;
      int middle = from + half - half % 8;
      return pairwiseSum(numbers, from, middle) + pairwiseSum(numbers, middle, to);
    }
    double sum = 0;
    int next = from;
    if (count >= 8) {
      var lanes = new double[8];
      for (; next + 8 <= to; next += 8) {
        for (int lane = 0; lane < 8; lane++) {
          lanes[lane] += numbers[next + lane];
        }
      }
      sum =
          ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]))
              + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    }
    for (; next < to; next++) {
      sum += numbers[next];
    }
    return sum;
  }
}
