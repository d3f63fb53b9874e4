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

  /// Turns raw values of the group `name` into those that are fitted and normalised, in place: a
  /// volume into its logarithm.
  static void transform(String name, float[] values) {
    if (isLogarithmic(name)) {
      for (int i = 0; i < values.length; i++) {
        values[i] = logarithm(values[i]);
      }
    }
  }

  /// Fits a group to `count` values after [#transform], which may include NaN and are read three
  /// times.
  ///
  /// @throws DataException if there are no values, not all of them are finite, or all are equal
  static GroupStatistics fit(
      String name, Deviation kind, long count, Supplier<FloatStream> values) {
    var sum = NumpySum.of(values.get(), count);
    long present = sum.present();
    if (present == 0) {
      throw new DataException(
          "group " + name, "values in the fit window", count + " rows, all missing");
    }
    float centre = sum.mean();

    var range = new Range();
    FloatStream ranged = centred(values.get(), centre);
    float distanceMean =
        NumpySum.of(
                distances(
                    (block, length) -> {
                      ranged.read(block, length);
                      range.add(block, length);
                    },
                    kind),
                count)
            .mean();

    FloatStream again = distances(centred(values.get(), centre), kind);
    float variance =
        NumpySum.of(
                (block, length) -> {
                  again.read(block, length);
                  for (int i = 0; i < length; i++) {
                    float difference = block[i] - distanceMean;
                    block[i] = difference * difference;
                  }
                },
                count)
            .over(present);
    float deviation = (float) Math.sqrt(variance);
    if (!(deviation > 0) || !Float.isFinite(deviation) || !Float.isFinite(centre)) {
      throw new DataException(
          "group " + name,
          "finite values that differ, so that they can be normalised",
          "mean %s, deviation %s".formatted(centre, deviation));
    }
    return new GroupStatistics(
        name, centre, deviation, range.max / deviation, range.min / deviation);
  }

  /// Normalises `values`, which [#transform] was applied to, in place; a missing value becomes 0,
  /// the mean.
  void apply(float[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = scaled(values[i]);
    }
  }

  /// Hot path of live trading.
  float normalised(float raw) {
    return scaled(isLogarithmic(name) ? logarithm(raw) : raw);
  }

  private float scaled(float value) {
    float normalised = (value - mean) / deviation;
    return Float.isNaN(normalised) ? 0 : normalised;
  }

  /// Returns `log1p`, rounded to single precision.
  private static float logarithm(float value) {
    // Math.log takes half the time. It and Math.log1p are each within an ulp of the logarithm, and
    // 1 + value within half an ulp of the sum: where both ends of that error round to one number,
    // log1p rounds to it too.
    double near = Math.log(1 + (double) value);
    double error = 0x1p-52 * (1 + 2 * Math.abs(near));
    float low = (float) (near - error);
    return low == (float) (near + error) ? low : (float) Math.log1p(value);
  }

  private static boolean isLogarithmic(String name) {
    return name.endsWith("volume");
  }

  private static FloatStream centred(FloatStream values, float centre) {
    return (block, length) -> {
      values.read(block, length);
      for (int i = 0; i < length; i++) {
        block[i] -= centre;
      }
    };
  }

  private static FloatStream distances(FloatStream centred, Deviation kind) {
    if (kind == Deviation.STANDARD) {
      return centred;
    }
    return (block, length) -> {
      centred.read(block, length);
      for (int i = 0; i < length; i++) {
        block[i] = Math.abs(block[i]);
      }
    };
  }

  private static final class Range {
    private float max = Float.NEGATIVE_INFINITY;
    private float min = Float.POSITIVE_INFINITY;

    void add(float[] block, int length) {
      float high = max;
      float low = min;
      for (int i = 0; i < length; i++) {
        high = block[i] > high ? block[i] : high;
        low = block[i] < low ? block[i] : low;
      }
      max = high;
      min = low;
    }
  }

  /// Floats that are read once, from first to last.
  @FunctionalInterface
  interface FloatStream {

    /// Writes the next `length` values to the start of `block`.
    void read(float[] block, int length);
  }

  /// Adds like NumPy adds a contiguous float32 array, NaN counting as 0: halves of halves down to
  /// blocks of 128, each summed in eight lanes.
  ///
  /// The order of additions decides the last bits, and the statistics of a feature store are
  /// compared bit by bit with Qlib's.
  static final class NumpySum {

    private static final int LANES = 8;
    private static final int BLOCK = 128;

    private final FloatStream values;
    private final float[] block = new float[BLOCK];
    private final float total;
    private long present;

    private NumpySum(FloatStream values, long count) {
      this.values = values;
      this.present = count;
      this.total = sum(count);
    }

    /// Adds the next `count` values.
    static NumpySum of(FloatStream values, long count) {
      return new NumpySum(values, count);
    }

    float total() {
      return total;
    }

    /// Returns how many values are not NaN.
    long present() {
      return present;
    }

    /// Returns the mean of the values that are not NaN.
    float mean() {
      return over(present);
    }

    float over(long count) {
      return (float) ((double) total / count);
    }

    private float sum(long count) {
      if (count > BLOCK) {
        long half = count / 2;
        half -= half % LANES;
        float first = sum(half);
        return first + sum(count - half);
      }
      values.read(block, (int) count);
      float sum = blockSum((int) count);
      return Float.isNaN(sum) ? sumOfPresent((int) count) : sum;
    }

    /// Adds again without NaN: few blocks have any, so the others are not searched for it.
    private float sumOfPresent(int count) {
      for (int i = 0; i < count; i++) {
        if (Float.isNaN(block[i])) {
          block[i] = 0;
          present--;
        }
      }
      return blockSum(count);
    }

    private float blockSum(int count) {
      float sum = 0;
      int whole = count - count % LANES;
      if (whole > 0) {
        float a = 0;
        float b = 0;
        float c = 0;
        float d = 0;
        float e = 0;
        float f = 0;
        float g = 0;
        float h = 0;
        for (int i = 0; i < whole; i += LANES) {
          a += block[i];
          b += block[i + 1];
          c += block[i + 2];
          d += block[i + 3];
          e += block[i + 4];
          f += block[i + 5];
          g += block[i + 6];
          h += block[i + 7];
        }
        sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
      }
      for (int i = whole; i < count; i++) {
        sum += block[i];
      }
      return sum;
    }
  }
}
