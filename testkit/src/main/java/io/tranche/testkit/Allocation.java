package io.tranche.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/// Measures what code allocates on the calling thread.
public final class Allocation {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocation() {}

  /// Returns how many bytes of heap `action` asked for, whether or not they are still in use.
  public static long bytesOf(Runnable action) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    action.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
