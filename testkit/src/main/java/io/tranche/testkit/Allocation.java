package io.tranche.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/// Measures what code allocates on the calling thread.
public final class Allocation {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

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

  /// Returns what ten runs of `action` ask for once the compilers have settled, which takes a
  /// while.
  public static long settledBytesOf(Runnable action) {
    long bytes = Long.MAX_VALUE;
    for (int i = 0; i < 4_000 && bytes > 0; i++) {
      bytes = bytesOf(() -> repeat(10, action));
    }
    return bytes;
  }

  private static void repeat(int times, Runnable action) {
    for (int i = 0; i < times; i++) {
      action.run();
    }
  }
}
