package io.tranche.env.vector;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Threads that share out short rounds of work: each gets a fixed slice, the caller the first.
///
/// Hot path: a round costs two volatile writes and, while everyone is busy, no system call. Helpers
/// wait for the next round by spinning for a while, then park.
final class Crew implements AutoCloseable {

  /// The work on the items `from` (inclusive) to `to` (exclusive). Must not throw.
  @FunctionalInterface
  interface Slice {
    void run(int from, int to);
  }

  /// Some ten microseconds: longer than the gap between two steps of cheap environments, shorter
  /// than anyone would notice of a core that does nothing else.
  private static final int SPINS = 1 << 10;

  private final Helper[] helpers;
  private final AtomicInteger pending = new AtomicInteger();
  private final Waiter caller;

  // Written by the caller before `round`, read by helpers after it.
  private @Nullable Slice job;
  private int count;
  private final AtomicInteger round = new AtomicInteger();
  private volatile boolean closed;

  /// @param threads how many work on a round, the caller included
  Crew(int threads) {
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

  /// Runs `job` over the items 0 to `items - 1` and returns when all are done.
  void run(int items, Slice slice) {
    if (helpers.length == 0 || items < 2) {
      slice.run(0, items);
      return;
    }
    job = slice;
    count = items;
    pending.set(helpers.length);
    nextRound();
    slice.run(0, bound(1));
    caller.await(() -> pending.get() == 0);
  }

  private void nextRound() {
    round.incrementAndGet();
    for (Helper helper : helpers) {
      helper.waiter.wake();
    }
  }

  /// Returns where slice `index` begins.
  private int bound(int index) {
    return (int) ((long) count * index / (helpers.length + 1));
  }

  /// Ends the helpers and waits until they are gone.
  @Override
  public void close() {
    closed = true;
    nextRound();
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
    private final int index;
    private final Thread thread;
    private final Waiter waiter;

    Helper(int index, Waiter waiter) {
      this.index = index;
      this.waiter = waiter;
      this.thread = Thread.ofPlatform().daemon().name("tranche-env-" + index).unstarted(this::work);
    }

    private void work() {
      int seen = 0;
      while (true) {
        int last = seen;
        waiter.await(() -> round.get() != last);
        seen = round.get();
        if (closed) {
          return;
        }
        Slice slice = job;
        if (slice != null) {
          slice.run(bound(index), bound(index + 1));
        }
        if (pending.decrementAndGet() == 0) {
          caller.wake();
        }
      }
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
