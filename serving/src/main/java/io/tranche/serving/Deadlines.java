package io.tranche.serving;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Tells of decisions whose time is up. Goes by a clock that never jumps.
final class Deadlines implements AutoCloseable {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final LongSupplier ticker;
  private final Consumer<Pending> missed;
  private final Object lock = new Object();

  // Guarded by the lock. Differences, because a ticker may pass the largest number.
  private final PriorityQueue<Pending> queue;

  private boolean isClosed;

  Deadlines(LongSupplier ticker, Consumer<Pending> missed) {
    this.ticker = ticker;
    this.missed = missed;
    long start = ticker.getAsLong();
    queue = new PriorityQueue<>(Comparator.comparingLong(each -> each.dueNanos() - start));
    Thread.ofPlatform().name("deadlines").daemon().start(this::run);
  }

  void add(Pending pending) {
    synchronized (lock) {
      queue.add(pending);
      if (queue.peek() == pending) {
        lock.notifyAll();
      }
    }
  }

  private void run() {
    try {
      for (List<Pending> due = next(); !due.isEmpty(); due = next()) {
        due.forEach(missed);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Returns what is due, waiting for it; nothing once closed.
  private List<Pending> next() throws InterruptedException {
    var due = new ArrayList<Pending>();
    synchronized (lock) {
      while (due.isEmpty() && !isClosed) {
        long now = ticker.getAsLong();
        while (!queue.isEmpty() && (queue.peek().isSettled() || isDue(queue.peek(), now))) {
          Pending first = queue.remove();
          if (!first.isSettled()) {
            due.add(first);
          }
        }
        if (due.isEmpty()) {
          Pending first = queue.peek();
          long nanos = first == null ? 0 : first.dueNanos() - now;
          if (first == null) {
            lock.wait();
          } else {
            lock.wait(nanos / NANOS_PER_MILLI, (int) (nanos % NANOS_PER_MILLI));
          }
        }
      }
    }
    return due;
  }

  private static boolean isDue(Pending pending, long now) {
    return pending.dueNanos() - now <= 0;
  }

  @Override
  public void close() {
    synchronized (lock) {
      isClosed = true;
      lock.notifyAll();
    }
  }
}
