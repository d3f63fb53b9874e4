package io.tranche.serving.engine;

import io.tranche.serving.FatalError;
import io.tranche.serving.ledger.PendingDecision;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Reports decisions whose deadline has passed. Uses a monotonic clock.
final class Deadlines implements AutoCloseable {

  private final LongSupplier ticker;
  private final Consumer<PendingDecision> missed;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition isSooner = lock.newCondition();

  // Guarded by the lock. Compares differences, because the ticker may overflow.
  private final PriorityQueue<PendingDecision> queue;

  // The thread wakes up by itself, or waits for a decision. Nobody wakes it for a later deadline.
  private long looksAgainNanos;
  private boolean isIdle = true;

  private boolean isClosed;

  /// @param isStepped whether [#step] is called instead of a thread
  Deadlines(LongSupplier ticker, Consumer<PendingDecision> missed, boolean isStepped) {
    this.ticker = ticker;
    this.missed = missed;
    long start = ticker.getAsLong();
    queue = new PriorityQueue<>(Comparator.comparingLong(each -> each.dueNanos - start));
    if (!isStepped) {
      Thread.ofPlatform()
          .name("deadlines")
          .daemon()
          .start(FatalError.guarded("deadlines", this::run));
    }
  }

  /// Reports what is due now.
  void step() {
    var due = new ArrayList<PendingDecision>();
    lock.lock();
    try {
      take(due, ticker.getAsLong());
    } finally {
      lock.unlock();
    }
    due.forEach(missed);
  }

  private void take(List<PendingDecision> due, long now) {
    PendingDecision first = first();
    while (first != null && first.dueNanos - now <= 0) {
      due.add(queue.remove());
      first = first();
    }
  }

  /// Returns the first decision that is still to be taken. Those before it are forgotten at once:
  /// each keeps its whole day in memory.
  private @Nullable PendingDecision first() {
    PendingDecision first = queue.peek();
    while (first != null && first.isSettled()) {
      queue.remove();
      first = queue.peek();
    }
    return first;
  }

  void add(PendingDecision pending) {
    lock.lock();
    try {
      first();
      queue.add(pending);
      if (isIdle || pending.dueNanos - looksAgainNanos < 0) {
        isSooner.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      for (List<PendingDecision> due = next(); !due.isEmpty(); due = next()) {
        due.forEach(missed);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Waits for decisions that are due and returns them; an empty list once closed.
  private List<PendingDecision> next() throws InterruptedException {
    var due = new ArrayList<PendingDecision>();
    lock.lock();
    try {
      while (!isClosed) {
        long now = ticker.getAsLong();
        take(due, now);
        if (!due.isEmpty()) {
          return due;
        }
        PendingDecision first = first();
        isIdle = first == null;
        if (first == null) {
          isSooner.await();
        } else {
          looksAgainNanos = first.dueNanos;
          isSooner.awaitNanos(first.dueNanos - now);
        }
      }
      return List.of();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      isSooner.signal();
    } finally {
      lock.unlock();
    }
  }
}
