package io.tranche.cli.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Ctrl-C while something long is under way: the first asks it to stop and waits until it has, a
/// second one kills.
///
/// The virtual machine answers the signal by running its shutdown hooks and then ends with 130 by
/// itself (143 for a plain `kill`), so this is one.
public final class StopSignal implements AutoCloseable {

  private static final long POLL_MILLIS = 50;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean arrived;

  /// @param request asks for the stop; called on another thread, more than once
  public StopSignal(Runnable request) {
    this.hook =
        new Thread(
            () -> {
              arrived = true;
              await(request);
            },
            "stop signal");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void await(Runnable request) {
    try {
      do {
        request.run(); // again and again: the first time there may be nothing to stop yet
        if (signals() > 1) {
          Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
        }
      } while (!finished.await(POLL_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Each signal has a thread that waits for the shutdown to end: the only trace of a second one.
  private static long signals() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("SIGINT handler"))
        .count();
  }

  /// Whether it has come.
  public boolean hasArrived() {
    return arrived;
  }

  /// Says that what was under way has stopped.
  @Override
  public void close() {
    finished.countDown();
    if (!arrived) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException _) {
        // The signal came between the two: the hook finds that all is done.
      }
    }
  }
}
