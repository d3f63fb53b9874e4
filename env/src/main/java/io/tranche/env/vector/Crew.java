package io.tranche.env.vector;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Threads that share out short rounds of work, the caller being one of them.
///
/// Each has a slice of its own, the same in every round, so that what an item touches stays in one
/// core's cache. Who is done early takes chunks of the others' slices: a thread that the system
/// keeps waiting delays a round by one chunk at most.
///
/// Hot path: while everyone is busy, a round costs a few atomic operations and no system call.
/// Helpers wait for the next round by spinning for a while, then park.
final class Crew implements AutoCloseable {

  /// The work on the items `from` (inclusive) to `to` (exclusive). Must not throw.
  @FunctionalInterface
  interface Work {
    void on(int from, int to);
  }

  /// Some ten microseconds: longer than the gap between two steps of cheap environments, shorter
  /// than anyone would notice of a core that does nothing else.
  private static final int SPINS = 1 << 10;

  /// How many pieces a slice is cut into, for others to take.
  private static final int CHUNKS = 4;

  /// Distance between tickets, so that no two are in one cache line.
  private static final int STRIDE = 16;

  private final int threads;
  private final int pieces;
  private final Helper[] helpers;
  private final Waiter caller;
  private final AtomicInteger round = new AtomicInteger();
  private final AtomicInteger pending = new AtomicInteger();

  /// For each slice, the round it belongs to (upper half) and how many chunks are left (lower).
  private final AtomicLongArray tickets;

  // Written by the caller between rounds; read only by who holds a chunk of the round.
  private @Nullable Work work;
  private int items;

  private volatile boolean closed;

  /// @param threads how many work on a round, the caller included
  Crew(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1, was " + threads);
    }
    this.threads = threads;
    this.pieces = threads * CHUNKS;
    // Spinning while others wait for the core would only delay them.
    int spins = threads <= Runtime.getRuntime().availableProcessors() ? SPINS : 0;
    tickets = new AtomicLongArray(threads * STRIDE);
    caller = new Waiter(spins);
    helpers = new Helper[threads - 1];
    for (int i = 0; i < helpers.length; i++) {
      helpers[i] = new Helper(i + 1, new Waiter(spins));
      helpers[i].thread.start();
    }
  }

  /// Works on the items 0 to `count - 1` and returns when all are done.
  void run(int count, Work task) {
    if (threads == 1 || count < 2) {
      task.on(0, count);
      return;
    }
    work = task;
    items = count;
    pending.set(pieces);
    int next = round.get() + 1;
    for (int slice = 0; slice < threads; slice++) {
      tickets.set(slice * STRIDE, ((long) next << 32) | CHUNKS);
    }
    begin(next);
    takePart(0, next);
    caller.await(() -> pending.get() == 0);
  }

  private void begin(int next) {
    round.set(next);
    for (Helper helper : helpers) {
      helper.waiter.wake();
    }
  }

  /// Works on one's own slice, then on what is left of the others'.
  private void takePart(int self, int current) {
    for (int i = 0; i < threads; i++) {
      int slice = (self + i) % threads;
      for (int left = claim(slice, current); left > 0; left = claim(slice, current)) {
        int chunk = slice * CHUNKS + left - 1;
        Work task = work;
        if (task != null) {
          task.on(bound(chunk), bound(chunk + 1));
        }
        if (pending.decrementAndGet() == 0 && self != 0) {
          caller.wake();
        }
      }
    }
  }

  /// Takes a chunk of a slice and returns how many were left, or 0 if there was none in this round.
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

  /// Returns where a chunk begins.
  private int bound(int chunk) {
    return (int) ((long) items * chunk / pieces);
  }

  /// Ends the helpers and waits until they are gone.
  @Override
  public void close() {
    closed = true;
    begin(round.get() + 1);
    for (Helper helper : helpers) {
      join(helper.thread);
    }
  }

  /// Waits until `thread` has ended, whatever happens; an interrupt is kept for later.
  static void join(Thread thread) {
    boolean interrupted = Thread.interrupted();
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Helper {
    private final int index;
    private final Waiter waiter;
    private final Thread thread;

    Helper(int index, Waiter waiter) {
      this.index = index;
      this.waiter = waiter;
      this.thread = Thread.ofPlatform().daemon().name("tranche-env-" + index).unstarted(this::run);
    }

    private void run() {
      int seen = 0;
      while (true) {
        int last = seen;
        waiter.await(() -> round.get() != last);
        seen = round.get();
        if (closed) {
          return;
        }
        takePart(index, seen);
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
