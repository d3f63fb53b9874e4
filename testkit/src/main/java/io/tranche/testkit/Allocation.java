package io.tranche.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Measures what code allocates on the calling thread.
public final class Allocation {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final int RUNS = 3;

  private Allocation() {}

  /// Returns how many bytes of heap `action` asked for, whether or not they are still in use.
  public static long bytesOf(Runnable action) {
    long before = bytesSoFar();
    action.run();
    return bytesSoFar() - before;
  }

  /// Returns how many bytes of heap the calling thread has asked for since it began.
  public static long bytesSoFar() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /// Returns what ten runs of `action` ask for once the compilers have settled.
  public static long settledBytesOf(Runnable action) {
    return settledBytesOf(1, () -> repeat(10, action));
  }

  /// Returns what `action` asks for once the compilers have settled: the most of three runs in a
  /// row that are below `limit`, or what was seen at the end of five minutes.
  public static long settledBytesOf(long limit, Runnable action) {
    return settledBytesOf(limit, () -> action, Runnable::run);
  }

  /// Returns the same of an action that needs something new each time, which is not counted.
  public static <T> long settledBytesOf(long limit, Supplier<T> preparing, Consumer<T> action) {
    // When the compilers settle depends on what else the machine does, so this goes by time.
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
