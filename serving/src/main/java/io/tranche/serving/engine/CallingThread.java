package io.tranche.serving.engine;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/// Runs every task at once in the thread that brings it.
final class CallingThread extends AbstractExecutorService {

  private volatile boolean isShut;

  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public void shutdown() {
    isShut = true;
  }

  @Override
  public List<Runnable> shutdownNow() {
    isShut = true;
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return isShut;
  }

  @Override
  public boolean isTerminated() {
    return isShut;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return true;
  }
}
