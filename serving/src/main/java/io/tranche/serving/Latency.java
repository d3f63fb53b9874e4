package io.tranche.serving;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.AtomicHistogram;

/// A distribution of whole numbers, mostly nanoseconds, exact to 1 percent. Any thread may record
/// and read. Hot path: recording allocates nothing.
public final class Latency {

  private static final long LARGEST = 1L << 62;

  private final AtomicHistogram counts = new AtomicHistogram(LARGEST, 2);

  // The histogram knows these only to its precision.
  private final LongAdder sum = new LongAdder();
  private final LongAccumulator max = new LongAccumulator(Math::max, 0);

  public void record(long value) {
    long within = Math.clamp(value, 0, LARGEST);
    counts.recordValue(within);
    sum.add(within);
    max.accumulate(within);
  }

  public long count() {
    return countUpTo(LARGEST);
  }

  public long sum() {
    return sum.sum();
  }

  public long max() {
    return max.get();
  }

  /// Returns how many values were at most `value`, give or take 1 percent of it: for the buckets of
  /// a Prometheus histogram.
  public long countUpTo(long value) {
    return counts.getCountBetweenValues(0, Math.clamp(value, 0, LARGEST));
  }

  /// Returns the value that a `share` of all values did not exceed, such as 0.99 of them; 0 if
  /// nothing was recorded.
  public long percentile(double share) {
    return Math.min(counts.getValueAtPercentile(100 * share), max());
  }
}
