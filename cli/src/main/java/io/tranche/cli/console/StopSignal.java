package io.tranche.cli.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Ctrl-C during a long job: the first one asks it to stop and waits until it has, a second one
/// kills the process.
///
/// On the signal the virtual machine runs its shutdown hooks and then exits with 130 (143 for a
/// plain `kill`), so this is a shutdown hook.
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

  /// Each signal has a thread that waits for the shutdown to end; a second one leaves no other
  /// trace.
  private static long signals() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("SIGINT handler"))
        .count();
  }

  /// Whether the signal has arrived.
  public boolean hasArrived() {
    return arrived;
  }

  /// Reports that the job has stopped.
  @Override
  public void close() {
    finished.countDown();
    if (!arrived) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException _) {
        // The signal came between the two lines: the hook finds that the job is done.
      }
    }
  }
}
