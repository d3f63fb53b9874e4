package io.tranche.env;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Runs the items of a loop on several threads, including the caller's.
///
/// Each thread has its own slice, the same in every round, so that an item's data stays in one
/// core's cache. A thread that finishes early takes chunks of other slices, so a descheduled thread
/// delays a round by at most one chunk. Which thread runs an item is therefore unpredictable; if
/// every item has its own memory, the results have the same bits with any number of threads.
///
/// Hot path: a round allocates nothing, and while all threads are busy it costs a few atomic
/// operations and no system call. Helpers wait for the next round by spinning for a while, then
/// park.
public final class ParallelFor implements AutoCloseable {

  /// The work on one item.
  @FunctionalInterface
  public interface Work {

    /// @param worker the index of the thread, 0 for the caller: only for selecting buffers that one
    ///   thread at a time may use; results must not depend on it
    void on(int item, int worker);
  }

  /// Some tens of microseconds: longer than the gaps between the steps of cheap environments or
  /// within an update, but too short for the busy core to be noticed.
  private static final int SPINS = 1 << 12;

  /// Maximum number of chunks of a slice, which other threads can take.
  private static final int CHUNKS = 8;

  /// Distance between tickets, so that no two share a cache line.
  private static final int STRIDE = 16;

  private final Helper[] helpers;
  private final Waiter caller;
  private final BooleanSupplier allDone = this::isDone;
  private final AtomicInteger round = new AtomicInteger();
  private final AtomicInteger pending = new AtomicInteger();

  /// For each slice, its round (upper half) and the number of chunks left (lower half).
  private final AtomicLongArray tickets;

  /// The failure of this round, and its item.
  private @Nullable Failure failure;

  // Written by the caller between rounds; read only by a thread that holds a chunk of the round.
  private Work work = (_, _) -> {};
  private int items;
  private int chunks;

  private volatile boolean closed;

  /// @param threads number of threads, including the caller's
  public ParallelFor(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1, was " + threads);
    }
    // Spinning on a core that other threads need would only delay them.
    int spins = threads <= Runtime.getRuntime().availableProcessors() ? SPINS : 0;
    tickets = new AtomicLongArray(threads * STRIDE);
    caller = new Waiter(spins);
    helpers = new Helper[threads - 1];
    for (int i = 0; i < helpers.length; i++) {
      helpers[i] = new Helper(i + 1, new Waiter(spins));
      helpers[i].thread.start();
    }
  }

  public int threads() {
    return helpers.length + 1;
  }

  /// Works on the items 0 to `count - 1` and returns when all are done. One caller at a time.
  ///
  /// If items throw, rethrows the exception of the lowest item.
  public void run(int count, Work task) {
    if (helpers.length == 0 || count < 2) {
      for (int item = 0; item < count; item++) {
        task.on(item, 0);
      }
      return;
    }
    work = task;
    items = count;
    chunks = Math.min(CHUNKS, Math.ceilDiv(count, threads()));
    pending.set(chunks * threads());
    int next = round.get() + 1;
    for (int slice = 0; slice < threads(); slice++) {
      tickets.set(slice * STRIDE, ((long) next << 32) | chunks);
    }
    begin(next);
    takePart(0, next);
    caller.await(allDone);
    rethrow();
  }

  private void begin(int next) {
    round.set(next);
    for (Helper helper : helpers) {
      helper.waiter.wake();
    }
  }

  private boolean isDone() {
    return pending.get() == 0;
  }

  private synchronized void rethrow() {
    Failure failed = failure;
    failure = null;
    if (failed == null) {
      return;
    }
    switch (failed.thrown()) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(failed.thrown());
    }
  }

  private synchronized void failed(int item, Throwable thrown) {
    if (failure == null || item < failure.item()) {
      failure = new Failure(item, thrown);
    }
  }

  private record Failure(int item, Throwable thrown) {}

  /// Works on the thread's own slice, then on what is left of the others.
  private void takePart(int worker, int current) {
    for (int i = 0; i < threads(); i++) {
      int slice = (worker + i) % threads();
      for (int left = claim(slice, current); left > 0; left = claim(slice, current)) {
        doChunk(slice * chunks + chunks - left, worker);
      }
    }
  }

  /// Takes a chunk of a slice and returns how many were left before, or 0 if none was left.
  private int claim(int slice, int current) {
    while (true) {
      long ticket = tickets.get(slice * STRIDE);
      int left = (int) ticket;
      if ((int) (ticket >>> 32) != current || left == 0) {
        return 0;
      }
      if (tickets.compareAndSet(slice * STRIDE, ticket, ticket - 1)) {
        return left;
      }
    }
  }

  private void doChunk(int chunk, int worker) {
    int end = bound(chunk + 1);
    for (int item = bound(chunk); item < end; item++) {
      try {
        work.on(item, worker);
      } catch (Throwable e) { // catches everything, so that the caller never waits forever
        failed(item, e);
      }
    }
    if (pending.decrementAndGet() == 0 && worker != 0) {
      caller.wake();
    }
  }

  /// Returns the first item of a chunk.
  private int bound(int chunk) {
    return (int) ((long) items * chunk / ((long) chunks * threads()));
  }

  /// Stops the helper threads and waits until they have ended; preserves an interrupt.
  @Override
  public void close() {
    closed = true;
    begin(round.get() + 1);
    boolean interrupted = false;
    for (Helper helper : helpers) {
      while (helper.thread.isAlive()) {
        try {
          helper.thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Helper {
    private final int worker;
    private final Waiter waiter;
    private final Thread thread;
    private final BooleanSupplier called = this::isCalled;
    private int seen;

    Helper(int worker, Waiter waiter) {
      this.worker = worker;
      this.waiter = waiter;
      this.thread =
          Thread.ofPlatform().daemon().name("tranche-parallel-" + worker).unstarted(this::run);
    }

    private void run() {
      while (true) {
        waiter.await(called);
        seen = round.get();
        if (closed) {
          return;
        }
        takePart(worker, seen);
      }
    }

    private boolean isCalled() {
      return round.get() != seen;
    }
  }

  /// Waits for a condition that another thread makes true before it calls [#wake].
  private static final class Waiter {
    private final int spins;
    private volatile @Nullable Thread parked;

    Waiter(int spins) {
      this.spins = spins;
    }

    void await(BooleanSupplier condition) {
      for (int i = 0; i < spins; i++) {
        if (condition.getAsBoolean()) {
          return;
        }
        Thread.onSpinWait();
      }
      // Set before the last check, so that either we see the condition or the waker sees us.
      parked = Thread.currentThread();
      while (!condition.getAsBoolean()) {
        LockSupport.park(this);
      }
      parked = null;
    }

    void wake() {
      Thread thread = parked;
      if (thread != null) {
        LockSupport.unpark(thread);
      }
    }
  }
}
