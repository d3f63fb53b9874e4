package io.tranche.cli.replay;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A request to end a replay. Any thread may make it.
public final class StopRequest {

  private final CountDownLatch requested = new CountDownLatch(1);

  public StopRequest() {}

  public void request() {
    requested.countDown();
  }

  public boolean isRequested() {
    return requested.getCount() == 0;
  }

  /// Waits, at most until the end is requested.
  ///
  /// @return whether it is
  boolean await(Duration time) {
    try {
      return requested.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
