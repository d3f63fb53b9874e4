package io.tranche.serving;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/// A distribution of whole numbers, mostly nanoseconds: exact to 3 percent, whatever their size.
/// Any thread may record and read.
///
/// Numbers below 32 have a bucket each; from there on every power of two is cut into 32 equal ones,
/// as in HdrHistogram.
public final class Latency {

  private static final int BITS = 5;
  private static final int CUTS = 1 << BITS;
  private static final int BUCKETS = (Long.SIZE - BITS) * CUTS;

  private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);
  private final LongAdder sum = new LongAdder();
  private final LongAccumulator max = new LongAccumulator(Math::max, 0);

  public Latency() {}

  public void record(long value) {
    long least = Math.max(value, 0);
    counts.incrementAndGet(bucket(least));
    sum.add(least);
    max.accumulate(least);
  }

  private static int bucket(long value) {
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - BITS - 1);
    return shift * CUTS + (int) (value >>> shift);
  }

  /// Returns the largest number of a bucket.
  private static long upper(int bucket) {
    int shift = Math.max(0, bucket / CUTS - 1);
    return ((bucket - shift * CUTS + 1L) << shift) - 1;
  }

  public long count() {
    long count = 0;
    for (int i = 0; i < BUCKETS; i++) {
      count += counts.get(i);
    }
    return count;
  }

  public long sum() {
    return sum.sum();
  }

  public long max() {
    return max.get();
  }

  /// Returns how many were at most `value`, to 3 percent of it: for the buckets of an exposition.
  public long countUpTo(long value) {
    long count = 0;
    for (int i = 0; i <= bucket(Math.max(value, 0)); i++) {
      count += counts.get(i);
    }
    return count;
  }

  /// Returns the number that `share` of all did not exceed, such as 0.99; 0 if there is none.
  public long percentile(double share) {
    long wanted = (long) Math.ceil(share * count());
    long seen = 0;
    for (int i = 0; i < BUCKETS; i++) {
      seen += counts.get(i);
      if (seen >= wanted && seen > 0) {
        return Math.min(upper(i), max());
      }
    }
    return max();
  }
}
