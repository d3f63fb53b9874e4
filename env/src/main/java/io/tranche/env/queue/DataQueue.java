package io.tranche.env.queue;

import io.tranche.env.RandomTree;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Hands out the items of a data set, epoch by epoch, to any number of consumers: each item goes to
/// exactly one of them. Qlib: `qlib.rl.utils.DataQueue`.
///
/// The order of items depends only on seed and epoch, never on the number of threads that load or
/// take them. A consumer waits only while a producer is loading the next item.
///
/// Safe for use by many threads.
///
/// @param <T> what the data set holds, such as orders
public final class DataQueue<T> implements Iterable<T>, AutoCloseable {

  /// How long a consumer waits before it checks again: the first time, and later. Qlib's values.
  public static final Duration FIRST_WAIT = Duration.ofSeconds(5);

  public static final Duration LATER_WAIT = Duration.ofMillis(500);

  /// How long [#close] waits for a producer that is loading an item.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final IntFunction<T> dataset;
  private final DataQueueConfig config;
  private final long end;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final EpochOrder order;
  private final Deque<T> put = new ArrayDeque<>();
  private final @Nullable Loaded<T>[] slots;
  private final List<Thread> producers = new ArrayList<>();
  private long nextToLoad;
  private long nextToTake;
  private boolean isActive;
  private boolean isClosed;

  /// The result of loading an item: the item, or the failure.
  private record Loaded<T>(@Nullable T item, @Nullable RuntimeException failure) {

    @Nullable T unwrap() {
      if (failure != null) {
        throw failure;
      }
      return item;
    }
  }

  public DataQueue(List<T> items, DataQueueConfig config) {
    this(items.size(), items::get, config);
  }

  /// @param size number of items in the data set
  /// @param dataset loads the item at an index from 0 to `size - 1`; called concurrently
  /// @throws IllegalArgumentException if an empty data set is to be repeated endlessly
  public DataQueue(int size, IntFunction<T> dataset, DataQueueConfig config) {
    if (size == 0 && config.repeat() == DataQueueConfig.ENDLESS) {
      throw new IllegalArgumentException("size must be positive to repeat endlessly, was 0");
    }
    this.dataset = dataset;
    this.config = config;
    this.end =
        config.repeat() == DataQueueConfig.ENDLESS
            ? Long.MAX_VALUE
            : Math.multiplyExact((long) config.repeat(), size);
    this.order = new EpochOrder(size, config.shuffle(), config.seed());
    this.slots = newSlots(config.producers() == 0 ? 0 : config.capacity());
    this.nextToLoad = Math.min(config.start(), end);
    this.nextToTake = nextToLoad;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // arrays have no type parameters
  private static <T> @Nullable Loaded<T>[] newSlots(int count) {
    return new Loaded[count];
  }

  /// Makes the items available and starts the producers.
  ///
  /// @return this queue
  /// @throws IllegalStateException if it was activated before
  public DataQueue<T> activate() {
    lock.lock();
    try {
      if (isActive || isClosed) {
        throw new IllegalStateException("a data queue must not be activated twice");
      }
      isActive = true;
      for (int i = 0; i < config.producers(); i++) {
        producers.add(
            Thread.ofPlatform().daemon().name("tranche-data-queue-" + i).start(this::produce));
      }
      return this;
    } finally {
      lock.unlock();
    }
  }

  /// Adds an item that is not part of the data set. Consumers take it before all others.
  public void put(T item) {
    lock.lock();
    try {
      if (!isClosed) {
        put.add(item);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Returns the next item, or null if none is left.
  ///
  /// @throws IllegalStateException if the queue is not active yet
  /// @throws RuntimeException if loading this item failed; the next call returns the next item
  public @Nullable T take() {
    int index;
    lock.lock();
    try {
      requireActive();
      if (!put.isEmpty()) {
        return put.remove();
      }
      if (slots.length > 0) {
        return takeLoaded();
      }
      if (isClosed || nextToTake == end) {
        return null;
      }
      index = order.index(nextToTake++);
      nextToLoad = nextToTake;
    } finally {
      lock.unlock();
    }
    // Outside the lock, so that consumers can load concurrently if there are no producers.
    return load(index).unwrap();
  }

  /// Waits for the next item. A waiter is woken when an item is ready or none will come. It also
  /// checks again after Qlib's timeouts, so that a lost signal cannot block it forever.
  private @Nullable T takeLoaded() {
    boolean interrupted = false;
    long waitNanos = FIRST_WAIT.toNanos();
    try {
      while (!isClosed && nextToTake < end) {
        int slot = (int) (nextToTake % slots.length);
        Loaded<T> loaded = slots[slot];
        if (loaded != null) {
          slots[slot] = null;
          nextToTake++;
          changed.signalAll();
          return loaded.unwrap();
        }
        try {
          changed.awaitNanos(waitNanos);
        } catch (InterruptedException _) {
          interrupted = true; // only close() ends a queue
        }
        waitNanos = LATER_WAIT.toNanos();
      }
      return null;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void produce() {
    while (true) {
      long position;
      int index;
      lock.lock();
      try {
        while (!isClosed && nextToLoad < end && nextToLoad - nextToTake >= slots.length) {
          changed.awaitUninterruptibly();
        }
        if (isClosed || nextToLoad == end) {
          return;
        }
        position = nextToLoad++;
        index = order.index(position);
      } finally {
        lock.unlock();
      }
      Loaded<T> loaded = load(index);
      lock.lock();
      try {
        if (isClosed) {
          return;
        }
        slots[(int) (position % slots.length)] = loaded;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /// Loads an item. The consumer handles a failure, because a producer that died of it would leave
  /// consumers waiting.
  private Loaded<T> load(int index) {
    try {
      T item = dataset.apply(index);
      return item == null
          ? new Loaded<>(null, new IllegalStateException("item must not be null, was " + index))
          : new Loaded<>(item, null);
    } catch (RuntimeException e) {
      return new Loaded<>(null, e);
    } catch (Error e) {
      return new Loaded<>(null, new IllegalStateException("item must load, was item " + index, e));
    }
  }

  /// Returns an iterator for one consumer; several may be used at the same time.
  ///
  /// `hasNext` already takes the item that `next` returns.
  ///
  /// @throws IllegalStateException if the queue is not active yet
  @Override
  public Iterator<T> iterator() {
    lock.lock();
    try {
      requireActive();
    } finally {
      lock.unlock();
    }
    return new Iterator<>() {
      private @Nullable T ahead;

      @Override
      public boolean hasNext() {
        if (ahead == null) {
          ahead = take();
        }
        return ahead != null;
      }

      @Override
      public T next() {
        T item = ahead == null ? take() : ahead;
        ahead = null;
        if (item == null) {
          throw new NoSuchElementException();
        }
        return item;
      }
    };
  }

  /// Returns the number of items taken from the data set, including earlier runs: a queue made with
  /// [DataQueueConfig#withStart] continues there.
  public long position() {
    lock.lock();
    try {
      return nextToTake;
    } finally {
      lock.unlock();
    }
  }

  /// Whether every item of every epoch has been loaded or is being loaded.
  public boolean isProduced() {
    lock.lock();
    try {
      return isActive && nextToLoad == end;
    } finally {
      lock.unlock();
    }
  }

  /// Drops the remaining items and stops the producers; waiting consumers get null.
  ///
  /// @throws IllegalStateException if a producer is still loading an item after 10 seconds
  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      put.clear();
      Arrays.fill(slots, null);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    producers.forEach(Thread::interrupt);
    for (Thread producer : producers) {
      join(producer);
    }
  }

  private static void join(Thread producer) {
    boolean hasEnded;
    try {
      hasEnded = producer.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      hasEnded = !producer.isAlive();
    }
    if (!hasEnded) {
      throw new IllegalStateException(
          "%s must end with its queue, was still loading an item".formatted(producer.getName()));
    }
  }

  private void requireActive() {
    if (!isActive) {
      throw new IllegalStateException("a data queue must be activated before items are taken");
    }
  }

  /// The order of the items in each epoch: a function of seed and epoch.
  ///
  /// Used by one thread at a time, mostly in ascending order of positions.
  private static final class EpochOrder {

    private final boolean isShuffled;
    private final long seed;
    private final int[] order;
    private long epoch = -1;

    EpochOrder(int size, boolean isShuffled, long seed) {
      this.isShuffled = isShuffled;
      this.seed = seed;
      this.order = new int[size];
    }

    /// Returns the index of the item at a position, which counts through all epochs.
    int index(long position) {
      int inEpoch = (int) (position % order.length);
      if (!isShuffled) {
        return inEpoch;
      }
      if (position / order.length != epoch) {
        epoch = position / order.length;
        shuffle();
      }
      return order[inEpoch];
    }

    private void shuffle() {
      var random = RandomTree.generator(RandomTree.key(seed, "shuffle", epoch));
      for (int i = 0; i < order.length; i++) {
        int other = random.nextInt(i + 1);
        order[i] = order[other];
        order[other] = i;
      }
    }
  }
}
