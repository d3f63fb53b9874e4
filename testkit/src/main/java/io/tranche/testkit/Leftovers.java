package io.tranche.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Checks that nothing is left behind.
public final class Leftovers {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private Leftovers() {}

  /// Fails if a child process remains. The test runner may briefly have one of its own.
  public static void assertNoProcesses() {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (hasChildren() && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  private static boolean hasChildren() {
    return ProcessHandle.current().children().findAny().isPresent();
  }
}
