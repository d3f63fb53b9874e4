package io.tranche.testkit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Memory that is in use, as far as garbage collections can tell.
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

  /// Returns how many bytes more than `before` are in use once threads that are ending and whatever
  /// is to be cleaned up are gone: the first growth below `limit`, or the last that was seen in
  /// half a minute. What leaks stays.
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
