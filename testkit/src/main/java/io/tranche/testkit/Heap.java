package io.tranche.testkit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// The memory that is in use after garbage collections.
public final class Heap {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private Heap() {}

  /// Returns how many bytes are in use.
  public static long used() {
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      used = Math.min(used, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }
    return used;
  }

  /// Returns how many bytes more than `before` are in use, once ending threads and pending cleanups
  /// are done: the first growth below `limit`, or the last one within half a minute. A leak does
  /// not go away.
  public static long growthSince(long before, long limit) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    long growth = used() - before;
    while (growth >= limit && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
      growth = used() - before;
    }
    return growth;
  }
}
