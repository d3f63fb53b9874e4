package io.tranche.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for other threads.
public final class Waiting {

  private Waiting() {}

  /// Waits in a thread that must not throw.
  public static void on(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Waits for something that other threads will do.
  public static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("nanoseconds waited too long").isNegative();
      LockSupport.parkNanos(1_000_000);
    }
  }

  /// Waits until a count is as expected; it may change a moment after the answer.
  public static void untilCount(LongAdder count, long expected) {
    until(() -> count.sum() >= expected);
    assertThat(count.sum()).isEqualTo(expected);
  }
}
