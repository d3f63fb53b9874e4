package io.tranche.benchmarks.measure;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/// The time of one run of a piece of work.
///
/// @param cpuSeconds of the whole process: compiler and collector count
public record Timing(double wallSeconds, double cpuSeconds) {

  /// Something worth timing.
  public interface Work {
    void run() throws IOException;
  }

  /// Runs `work` `warmups` times unmeasured, then `repetitions` times; returns the median of the
  /// wall time and the mean of the CPU time.
  public static Timing of(int warmups, int repetitions, Work work) throws IOException {
    for (int i = 0; i < warmups; i++) {
      work.run();
    }
    double[] walls = new double[repetitions];
    long cpu = CpuClock.nanos();
    for (int i = 0; i < repetitions; i++) {
      long start = System.nanoTime();
      work.run();
      walls[i] = (System.nanoTime() - start) / 1e9;
    }
    cpu = CpuClock.nanos() - cpu;
    return new Timing(median(walls), cpu / 1e9 / repetitions);
  }

  /// Runs all `turns` one after the other, so many rounds of them, and returns the fewest seconds
  /// that each took: other processes only ever add time, and take away the second core first.
  public static double[] fastest(int rounds, Work... turns) throws IOException {
    double[] fastest = new double[turns.length];
    Arrays.fill(fastest, Double.POSITIVE_INFINITY);
    for (int round = 0; round < rounds; round++) {
      for (int turn = 0; turn < turns.length; turn++) {
        long start = System.nanoTime();
        turns[turn].run();
        fastest[turn] = Math.min(fastest[turn], (System.nanoTime() - start) / 1e9);
      }
    }
    return fastest;
  }

  /// Returns the time of a part of the work, or of a multiple of it.
  public Timing times(double factor) {
    return new Timing(wallSeconds * factor, cpuSeconds * factor);
  }

  /// Returns the median of each part by itself.
  public static Timing median(List<Timing> timings) {
    return new Timing(
        median(timings.stream().mapToDouble(Timing::wallSeconds).toArray()),
        median(timings.stream().mapToDouble(Timing::cpuSeconds).toArray()));
  }

  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /// Returns rows per second, wall and CPU seconds of work on `rows` rows.
  public List<Figure> figures(String prefix, long rows) {
    return List.of(
        new Figure(prefix + ".rows_per_s", rows / wallSeconds, "rows/s"),
        new Figure(prefix + ".wall", wallSeconds, "s"),
        new Figure(prefix + ".cpu", cpuSeconds, "s"));
  }

  @Override
  public String toString() {
    return "%.4f s wall, %.4f s CPU".formatted(wallSeconds, cpuSeconds);
  }
}
