package io.tranche.benchmarks.growth;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.ResidentSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Does the same kind of work at sizes over two decades, one thing growing at a time, and fits the
/// exponent: 1 where twice as much takes twice as long, or twice the memory.
///
/// Retained heap is what the work and its result keep alive; mapped files are apart from it.
public final class GrowthBenchmark {

  /// Less of it is not distinguished from what else happens in the heap.
  private static final double LEAST_BYTES = 1 << 18;

  private static final double BATCH_SECONDS = 0.05;

  private static final double WARM_SECONDS = 2;
  private static final int BATCHES = 5;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "growth",
          "How do time and memory grow with instruments, days, ticks, steps, orders and others?",
          """
          growth.instruments.seconds growth.instruments.exponent
          growth.instruments.heap.mb growth.instruments.heap.exponent
          growth.instruments.mapped.mb growth.instruments.mapped.exponent
          growth.days.seconds growth.days.exponent growth.days.heap.mb growth.days.heap.exponent
          growth.days.mapped.mb growth.days.mapped.exponent
          growth.ticks.seconds growth.ticks.exponent growth.ticks.heap.mb growth.ticks.heap.exponent
          growth.steps.seconds growth.steps.exponent growth.steps.heap.mb growth.steps.heap.exponent
          growth.orders.seconds growth.orders.exponent
          growth.orders.heap.mb growth.orders.heap.exponent
          growth.hidden.seconds growth.hidden.exponent
          growth.hidden.heap.mb growth.hidden.heap.exponent
          growth.features.seconds growth.features.exponent
          growth.features.heap.mb growth.features.heap.exponent
          growth.threads.seconds growth.threads.exponent
          growth.threads.heap.mb growth.threads.heap.exponent
          """,
          GrowthBenchmark::run);

  private GrowthBenchmark() {}

  /// Work of one size.
  interface Subject extends AutoCloseable {

    /// Does the work once and returns what it leaves.
    Object run() throws IOException;

    /// Returns the size of the files that are mapped meanwhile; null if there are none.
    default @Nullable Long mappedBytes() throws IOException {
      return null;
    }

    @Override
    default void close() {}
  }

  /// Makes the work of a size.
  interface Maker {
    Subject of(int size) throws IOException;
  }

  /// What grows.
  record Axis(String name, int first, Maker maker) {

    private static final int[] STEPS = {1, 3, 10, 30, 100};

    /// Returns the sizes: two decades, or only the beginning in a quick run.
    List<Integer> sizes(boolean isQuick) {
      var sizes = new ArrayList<Integer>();
      for (int i = 0; i < (isQuick ? 2 : STEPS.length); i++) {
        sizes.add(first * STEPS[i]);
      }
      return sizes;
    }
  }

  private static List<Figure> run(Options options) throws IOException {
    var figures = new ArrayList<Figure>();
    for (Axis axis : new GrowingWork(options.work()).axes()) {
      measure(options, axis, figures);
    }
    return figures;
  }

  private static void measure(Options options, Axis axis, List<Figure> figures) throws IOException {
    List<Integer> sizes = axis.sizes(options.quick());
    var seconds = new ArrayList<Double>();
    var heap = new ArrayList<Double>();
    var mapped = new ArrayList<Double>();
    try (Subject first = axis.maker().of(sizes.getFirst())) {
      Objects.requireNonNull(first.run()); // fills caches that all sizes share
    }
    try (Subject largest = axis.maker().of(sizes.getLast())) {
      warm(options, largest);
    }
    for (int size : sizes) {
      long before = ResidentSet.heapBytes();
      try (Subject subject = axis.maker().of(size)) {
        Object kept = subject.run();
        heap.add((double) Math.max(0, ResidentSet.heapBytes() - before));
        Objects.requireNonNull(kept); // alive until here
        seconds.add(seconds(options, subject));
        Long files = subject.mappedBytes();
        if (files != null) {
          mapped.add((double) files);
        }
      }
    }
    String prefix = "growth." + axis.name();
    options.printf(
        "%s: sizes %s, s %s, heap %s, mapped %s%n", prefix, sizes, seconds, heap, mapped);
    figures.add(new Figure(prefix + ".seconds", seconds.getLast(), "s"));
    figures.add(new Figure(prefix + ".exponent", exponent(sizes, seconds, 0), "power"));
    figures.addAll(memory(prefix + ".heap", sizes, heap, LEAST_BYTES));
    if (!mapped.isEmpty()) {
      figures.addAll(memory(prefix + ".mapped", sizes, mapped, 0));
    }
  }

  private static List<Figure> memory(
      String prefix, List<Integer> sizes, List<Double> bytes, double least) {
    return List.of(
        new Figure(prefix + ".mb", bytes.getLast() / (1 << 20), "MB"),
        new Figure(prefix + ".exponent", exponent(sizes, bytes, least), "power"));
  }

  /// Works until the JIT compiler is done, or small sizes would be slower than large ones, which
  /// come later.
  private static void warm(Options options, Subject subject) throws IOException {
    long end = System.nanoTime() + (long) (options.quick() ? 0 : WARM_SECONDS * 1e9);
    do {
      Objects.requireNonNull(subject.run());
    } while (System.nanoTime() < end);
  }

  /// Returns the fewest seconds of a few batches that each last a while.
  private static double seconds(Options options, Subject subject) throws IOException {
    double fastest = Double.POSITIVE_INFINITY;
    int count = 1;
    for (int batch = options.quick() ? 0 : -BATCHES; batch < options.count(BATCHES, 1); batch++) {
      long start = System.nanoTime();
      for (int i = 0; i < count; i++) {
        Objects.requireNonNull(subject.run());
      }
      double each = (System.nanoTime() - start) / 1e9 / count;
      if (batch < 0) { // warms up, and finds how many make a batch
        count = (int) Math.clamp(BATCH_SECONDS / each, 1, 100_000);
      } else {
        fastest = Math.min(fastest, each);
      }
    }
    return fastest;
  }

  /// Returns the slope of the line through the logarithms of those amounts that are more than
  /// `least`; 0 with fewer than two.
  static double exponent(List<Integer> sizes, List<Double> amounts, double least) {
    double count = 0;
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    for (int i = 0; i < sizes.size(); i++) {
      if (amounts.get(i) > least) {
        double a = Math.log(sizes.get(i));
        double b = Math.log(amounts.get(i));
        count++;
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
      }
    }
    return count < 2 ? 0 : (count * xy - x * y) / (count * xx - x * x);
  }
}
