package io.tranche.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// For what other threads will have done before long.
public final class Waiting {

  private static final int MOST_MILLIS = 60_000;

  private Waiting() {}

  /// Waits in a thread that must not throw.
  static void on(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void until(BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; i < MOST_MILLIS / 10 && !condition.getAsBoolean(); i++) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }
}
