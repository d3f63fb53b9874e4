package io.tranche.tensor;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Threads that share out the slices of a task, the caller being one of them.
///
/// Who does a slice is left to chance; what a slice is must not depend on it. With memory of its
/// own for every slice the results are the same bits with any number of threads.
///
/// Hot path: a round allocates nothing and takes no lock to speak of. Helpers wait for the next by
/// spinning for a while, then park.
public final class Crew implements AutoCloseable {

  /// The work on one slice.
  @FunctionalInterface
  public interface Work {

    /// @param worker which of the threads does it, 0 being the caller: for memory that only one
    ///   thread at a time may use, never for what the result depends on
    void on(int slice, int worker);
  }

  /// Some tens of microseconds: longer than the gaps within an update.
  private static final int SPINS = 1 << 12;

  private final Helper[] helpers;
  private final Waiter caller;
  private final BooleanSupplier allDone = this::isDone;
  private final AtomicInteger pending = new AtomicInteger();

  /// The round (upper half) and how many of its slices nobody has taken yet (lower).
  private final AtomicLong ticket = new AtomicLong();

  /// What went wrong in this round, and in which slice.
  private @Nullable Failure failure;

  // Written by the caller between rounds; read only by who holds a slice of the round.
  private Work work = (_, _) -> {};
  private int slices;

  private volatile boolean closed;

  /// @param threads how many share a round, the caller included
  public Crew(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1, was " + threads);
    }
    // Spinning while others wait for the core would only delay them.
    int spins = threads <= Runtime.getRuntime().availableProcessors() ? SPINS : 0;
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

  /// Works on the slices 0 to `count - 1` and returns when all are done. One caller at a time.
  ///
  /// If the work on slices throws, what the lowest of them threw is thrown here.
  public void run(int count, Work task) {
    if (helpers.length == 0 || count < 2) {
      for (int slice = 0; slice < count; slice++) {
        task.on(slice, 0);
      }
      return;
    }
    work = task;
    slices = count;
    pending.set(count);
    long round = (ticket.get() >>> 32) + 1;
    ticket.set(round << 32 | count);
    for (Helper helper : helpers) {
      helper.waiter.wake();
    }
    takePart((int) round, 0);
    caller.await(allDone);
    rethrow();
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

  private synchronized void failed(int slice, Throwable thrown) {
    if (failure == null || slice < failure.slice()) {
      failure = new Failure(slice, thrown);
    }
  }

  private record Failure(int slice, Throwable thrown) {}

  private boolean isDone() {
    return pending.get() == 0;
  }

  private void takePart(int round, int worker) {
    while (true) {
      long current = ticket.get();
      int left = (int) current;
      if ((int) (current >>> 32) != round || left == 0) {
        return;
      }
      if (ticket.compareAndSet(current, current - 1)) {
        doSlice(slices - left, worker);
      }
    }
  }

  private void doSlice(int slice, int worker) {
    try {
      work.on(slice, worker);
    } catch (RuntimeException | Error e) {
      failed(slice, e);
    } finally {
      if (pending.decrementAndGet() == 0) {
        caller.wake();
      }
    }
  }

  /// Ends the helpers and waits until they are gone.
  @Override
  public void close() {
    closed = true;
    boolean interrupted = false;
    for (Helper helper : helpers) {
      helper.waiter.wake();
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
          Thread.ofPlatform().daemon().name("tranche-tensor-" + worker).unstarted(this::run);
    }

    private void run() {
      while (true) {
        waiter.await(called);
        if (closed) {
          return;
        }
        seen = (int) (ticket.get() >>> 32);
        takePart(seen, worker);
      }
    }

    private boolean isCalled() {
      return closed || (int) (ticket.get() >>> 32) != seen;
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
      // Announced before the last look, so that either we see the condition or the waker sees us.
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
