package io.tranche.work.export;

import io.tranche.market.feature.DayFeatures;
import io.tranche.runtime.ReferenceStatistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Mean, standard deviation and tenths of every feature over some days. The moments are by
/// Welford's recurrence, which stays exact with large means; the tenths are of evenly spaced
/// values. Non-finite numbers are ignored.
final class Moments {

  private static final int BINS = 10;

  /// How many values of a feature are kept at most.
  private static final int KEPT = 1 << 15;

  private final double[] means;
  private final double[] squares;
  private final long[] counts;
  private final float[][] kept;
  private final int[] sizes;
  private final long[] strides;

  Moments(int width) {
    kept = new float[width][KEPT];
    sizes = new int[width];
    strides = new long[width];
    Arrays.fill(strides, 1);
    means = new double[width];
    squares = new double[width];
    counts = new long[width];
  }

  void add(DayFeatures day) {
    for (int tick = 0; tick < day.ticks(); tick++) {
      for (int i = 0; i < means.length; i++) {
        double value = day.today(tick, i);
        if (Double.isFinite(value)) {
          double distance = value - means[i];
          means[i] += distance / ++counts[i];
          squares[i] += distance * (value - means[i]);
          keep(i, (float) value);
        }
      }
    }
  }

  /// Keeps every n-th value; when there is no room, every second of these.
  private void keep(int feature, float value) {
    if (counts[feature] % strides[feature] != 0) {
      return;
    }
    float[] values = kept[feature];
    if (sizes[feature] == KEPT) {
      for (int i = 0; i < KEPT / 2; i++) {
        values[i] = values[2 * i + 1];
      }
      sizes[feature] = KEPT / 2;
      strides[feature] *= 2;
      if (counts[feature] % strides[feature] != 0) {
        return;
      }
    }
    values[sizes[feature]++] = value;
  }

  ReferenceStatistics.Feature feature(int feature, String name) {
    float[] values = Arrays.copyOf(kept[feature], sizes[feature]);
    Arrays.sort(values);
    var edges = new ArrayList<Double>();
    for (int i = 1; i < BINS && values.length > 0; i++) {
      double edge = values[(int) ((long) i * values.length / BINS)];
      if (edges.isEmpty() || edge > edges.getLast()) {
        edges.add(edge);
      }
    }
    long[] shares = new long[edges.size() + 1];
    double[] sorted = edges.stream().mapToDouble(Double::doubleValue).toArray();
    for (float value : values) {
      shares[ReferenceStatistics.Feature.bin(sorted, value)]++;
    }
    return new ReferenceStatistics.Feature(
        name,
        mean(feature),
        deviation(feature),
        edges,
        values.length == 0
            ? List.of()
            : Arrays.stream(shares).mapToObj(each -> (double) each / values.length).toList());
  }

  private double mean(int feature) {
    return means[feature];
  }

  private double deviation(int feature) {
    return counts[feature] == 0 ? 0 : Math.sqrt(squares[feature] / counts[feature]);
  }
}
