package io.tranche.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Measures how much code allocates on the calling thread.
public final class Allocation {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final int RUNS = 3;

  private Allocation() {}

  /// Returns how many bytes of heap `action` allocated, whether or not they are still in use.
  public static long bytesOf(Runnable action) {
    long before = bytesSoFar();
    action.run();
    return bytesSoFar() - before;
  }

  /// Returns how many bytes of heap the calling thread has allocated since it began.
  public static long bytesSoFar() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /// Returns the bytes that ten runs of `action` allocate once the compilers have settled.
  public static long settledBytesOf(Runnable action) {
    return settledBytesOf(1, () -> repeat(10, action));
  }

  /// Returns the bytes that `action` allocates once the compilers have settled: the most of three
  /// runs in a row below `limit`, or the last result after five minutes.
  public static long settledBytesOf(long limit, Runnable action) {
    return settledBytesOf(limit, () -> action, Runnable::run);
  }

  /// As above, for an action that needs a new input for each run; making the input does not count.
  public static <T> long settledBytesOf(long limit, Supplier<T> preparing, Consumer<T> action) {
    // The compilers settle later on a busy machine, so the limit is a time, not a number of runs.
    long end = System.nanoTime() + PATIENCE_NANOS;
    long most = Long.MAX_VALUE;
    int settled = 0;
    while (settled < RUNS && System.nanoTime() - end < 0) {
      T prepared = preparing.get();
      long before = bytesSoFar();
      action.accept(prepared);
      long bytes = bytesSoFar() - before;
      most = settled == 0 ? bytes : Math.max(most, bytes);
      settled = bytes < limit ? settled + 1 : 0;
    }
    return most;
  }

  private static void repeat(int times, Runnable action) {
    for (int i = 0; i < times; i++) {
      action.run();
    }
  }
}
