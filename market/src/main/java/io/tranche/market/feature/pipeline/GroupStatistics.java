package io.tranche.market.feature.pipeline;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.market.DataException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The statistics that normalise one group of feature columns: a mean and a deviation, both in
/// single precision.
///
/// Qlib: the files that `HighFreqNorm` saves. The arithmetic is NumPy's on float32, operation by
/// operation, so that the numbers are Qlib's to the last bit.
///
/// @param name the group; one that ends in `volume` is normalised after `log1p`
/// @param max the largest normalised value in the fit
/// @param min the smallest
public record GroupStatistics(String name, float mean, float deviation, float max, float min) {

  public enum Deviation {
    /// The standard deviation of the values.
    STANDARD,
    /// The standard deviation of their absolute distances from the mean, as in Qlib.
    OF_ABSOLUTE_DISTANCES
  }

  /// Reads a mapping from names to what [#toMap] returns.
  ///
  /// @throws ConfigException if something is missing or no number
  static List<GroupStatistics> all(ConfigNode groups) {
    var statistics = new ArrayList<GroupStatistics>();
    for (String name : groups.keys()) {
      ConfigNode group = groups.required(name);
      group.rejectUnknown(List.of("mean", "deviation", "max", "min"));
      if (!(single(group.required("deviation")) > 0)) {
        throw group.required("deviation").wrong("a positive number");
      }
      statistics.add(
          new GroupStatistics(
              name,
              single(group.required("mean")),
              single(group.required("deviation")),
              single(group.required("max")),
              single(group.required("min"))));
    }
    return statistics;
  }

  private static float single(ConfigNode node) {
    float value = (float) node.asDouble();
    if (!Float.isFinite(value)) {
      throw node.wrong("a number in single precision");
    }
    return value;
  }

  /// Returns the numbers by name, with all digits, so that reading them back loses nothing.
  Map<String, Object> toMap() {
    var values = new LinkedHashMap<String, Object>();
    values.put("mean", (double) mean);
    values.put("deviation", (double) deviation);
    values.put("max", (double) max);
    values.put("min", (double) min);
    return values;
  }

  /// Fits a group to `count` values, which may include NaN and are read three times.
  ///
  /// @throws DataException if there are no values, not all of them are finite, or all are equal
  static GroupStatistics fit(
      String name, Deviation kind, long count, Supplier<FloatStream> values) {
    boolean logarithm = isLogarithmic(name);
    var mean = new Mean();
    mean.add(transformed(values.get(), logarithm), count);
    if (mean.present == 0) {
      throw new DataException(
          "group " + name, "values in the fit window", count + " rows, all missing");
    }
    float centre = mean.value();

    var range = new Range();
    var distance = new Mean();
    FloatStream centred = centred(transformed(values.get(), logarithm), centre, range, kind);
    distance.add(centred, count);
    float distanceMean = distance.value();

    FloatStream again = centred(transformed(values.get(), logarithm), centre, range, kind);
    float squares =
        ((FloatStream)
                () -> {
                  float difference = again.next() - distanceMean;
                  return Float.isNaN(difference) ? 0 : difference * difference;
                })
            .sum(count);
    float deviation = (float) Math.sqrt((float) ((double) squares / mean.present));
    if (!(deviation > 0) || !Float.isFinite(deviation) || !Float.isFinite(centre)) {
      throw new DataException(
          "group " + name,
          "finite values that differ, so that they can be normalised",
          "mean %s, deviation %s".formatted(centre, deviation));
    }
    return new GroupStatistics(
        name, centre, deviation, range.max / deviation, range.min / deviation);
  }

  /// Normalises `values` in place; a missing value becomes 0, the mean.
  void apply(float[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = normalised(values[i]);
    }
  }

  /// Hot path of live trading.
  float normalised(float raw) {
    float value = isLogarithmic(name) ? (float) Math.log1p(raw) : raw;
    float normalised = (value - mean) / deviation;
    return Float.isNaN(normalised) ? 0 : normalised;
  }

  private static boolean isLogarithmic(String name) {
    return name.endsWith("volume");
  }

  private static FloatStream transformed(FloatStream values, boolean logarithm) {
    return logarithm ? () -> (float) Math.log1p(values.next()) : values;
  }

  private static FloatStream centred(
      FloatStream values, float centre, Range range, Deviation kind) {
    return () -> {
      float difference = values.next() - centre;
      range.add(difference);
      return kind == Deviation.STANDARD ? difference : Math.abs(difference);
    };
  }

  /// The mean of the values that are not NaN.
  private static final class Mean {
    private long present;
    private float total;

    void add(FloatStream values, long count) {
      FloatStream counted =
          () -> {
            float value = values.next();
            if (Float.isNaN(value)) {
              return 0;
            }
            present++;
            return value;
          };
      total = counted.sum(count);
    }

    float value() {
      return (float) ((double) total / present);
    }
  }

  private static final class Range {
    private float max = Float.NEGATIVE_INFINITY;
    private float min = Float.POSITIVE_INFINITY;

    void add(float value) {
      if (value > max) {
        max = value;
      }
      if (value < min) {
        min = value;
      }
    }
  }

  /// Floats that are read once, from first to last.
  @FunctionalInterface
  interface FloatStream {

    float next();

    /// Returns the sum of the next `count` values, added like NumPy adds a contiguous float32
    /// array: halves of halves down to blocks of 128, each summed in eight lanes.
    ///
    /// The order of additions decides the last bits, and the statistics of a feature store are
    /// compared bit by bit with Qlib's.
    default float sum(long count) {
      if (count < 8) {
        float sum = 0;
        for (long i = 0; i < count; i++) {
          sum += next();
        }
        return sum;
      }
      if (count > 128) {
        long half = count / 2;
        half -= half % 8;
        float first = sum(half);
        return first + sum(count - half);
      }
      float[] lane = new float[8];
      for (int i = 0; i < count - count % 8; i++) {
        lane[i % 8] += next();
      }
      float sum =
          ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
      for (int i = 0; i < count % 8; i++) {
        sum += next();
      }
      return sum;
    }
  }
}
