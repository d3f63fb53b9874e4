package io.tranche.serving.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.market.DataException;
import io.tranche.serving.Caller;
import io.tranche.serving.Counters;
import io.tranche.serving.FatalError;
import io.tranche.serving.Observer;
import io.tranche.serving.ServiceConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Events on disk, in the order in which they were appended. One thread writes all events that have
/// gathered and calls fsync once for them.
///
/// If that fails, all waiting requests fail, and the journal rewrites everything since the last
/// successful fsync until it works. Memory and disk therefore never diverge. A disk that takes too
/// long counts as failed until it answers.
public final class Journal implements AutoCloseable {

  private static final long RETRY_MILLIS = 100;

  private final InstantSource wall;
  private final ServiceState serviceState;
  private final Counters counters;
  private final long stallNanos;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Object lock = new Object();

  // Guarded by the lock.
  private final Deque<JournalBatch> batches = new ArrayDeque<>();
  private final SortedMap<Long, Set<Event.DayKey>> daysBySegment;
  private final SortedMap<Long, Event.SegmentEnd> ends; // of older segments that days need
  private String caller = Caller.SERVICE;
  private byte[] callerBytes = caller.getBytes(UTF_8);
  private final Waiters waiting = new Waiters();
  private long segment;
  private long segmentBytes;
  private long sequence;
  private boolean isClosing;
  private boolean isDone;
  private boolean isWriting;
  private long writingSince;

  private volatile long durable;
  private volatile @Nullable String failure;

  private final EventFeed feed;
  private final Observer observer;

  // Used only by the journal's thread.
  private final AcknowledgedMark mark;
  private final SegmentWriter writer;

  /// @param recovered where to continue; incomplete records at its end have been cut
  /// @param feed shows durable events to readers
  /// @param observer is told when the disk fails, and when it works again
  /// @param wall what time records carry
  /// @param isStepped whether [#step] is called instead of a thread
  public Journal(
      ServiceConfig config,
      JournalFile.Opener opener,
      Recovery recovered,
      ServiceState serviceState,
      Counters counters,
      EventFeed feed,
      Observer observer,
      InstantSource wall,
      boolean isStepped) {
    this.wall = wall;
    this.feed = feed;
    this.observer = observer;
    this.writer = new SegmentWriter(config, opener, recovered);
    this.stallNanos = TimeUnit.MICROSECONDS.toNanos(config.bounds().stallMicros());
    this.serviceState = serviceState;
    this.counters = counters;
    this.daysBySegment = new TreeMap<>(recovered.daysBySegment());
    this.ends = new TreeMap<>(recovered.ends());
    this.segment = recovered.lastSegment();
    this.segmentBytes = recovered.lastSize();
    this.sequence = recovered.sequence();
    this.durable = recovered.sequence();
    try {
      this.mark = AcknowledgedMark.open(config.journal());
    } catch (IOException e) {
      throw DataException.unwritable(config.journal(), e);
    }
    this.thread = Thread.ofPlatform().name("journal").daemon().unstarted(this::run);
    roll();
    if (isStepped) {
      return;
    }
    thread.start();
    Thread.ofPlatform()
        .name("journal-watch")
        .daemon()
        .start(FatalError.guarded("journal-watch", this::watch));
  }

  /// Appends an event. It becomes durable later.
  ///
  /// @return its sequence number
  public long append(Event event) {
    return append(event, EventCodec.write(event));
  }

  /// Appends an event that is already encoded, so that nothing can fail any more.
  public long append(Event event, byte[] payload) {
    long micros = micros();
    String name = Caller.name();
    synchronized (lock) {
      long number = add(payload, micros, name);
      feed.add(segment, number, micros, name, event);
      serviceState.apply(event);
      if (event instanceof Event.OfDay ofDay) {
        if (event instanceof Event.DayEnded) {
          daysBySegment.values().forEach(days -> days.remove(ofDay.day()));
        } else {
          daysBySegment.computeIfAbsent(segment, _ -> new HashSet<>()).add(ofDay.day());
        }
      }
      return number;
    }
  }

  private long micros() {
    Instant now = wall.instant();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
  }

  private long add(byte[] payload, long micros, String name) {
    if (!name.equals(caller)) {
      byte[] bytes = name.getBytes(UTF_8);
      callerBytes =
          bytes.length > JournalRecord.MAX_CALLER
              ? Arrays.copyOf(bytes, JournalRecord.MAX_CALLER)
              : bytes;
      caller = name;
    }
    JournalBatch last = batches.peekLast();
    if (last == null || last.segment != segment) {
      last = new JournalBatch(segment, Set.copyOf(daysBySegment.keySet()));
      batches.add(last);
    }
    // The number counts only once there was memory for the record, so that there is no gap.
    byte[] record = JournalRecord.write(sequence + 1, durable, micros, callerBytes, payload);
    last.records.add(record);
    sequence++;
    last.last = sequence;
    segmentBytes += record.length;
    lock.notifyAll();
    return sequence;
  }

  /// Begins a new segment if the current one has `bytes` or more. Once it is durable, older
  /// segments that no open day needs are archived.
  public void rollAt(long bytes) {
    synchronized (lock) {
      if (segmentBytes >= bytes) {
        roll();
      }
    }
  }

  private void roll() {
    synchronized (lock) {
      daysBySegment.values().removeIf(Set::isEmpty);
      ends.put(segment, new Event.SegmentEnd(segment, sequence, segmentBytes));
      ends.keySet().retainAll(daysBySegment.keySet());
      byte[] heading = EventCodec.write(serviceState.heading(ends.values()));
      for (int most = ServiceState.MAX_ENDED;
          heading.length > JournalRecord.MAX_PAYLOAD && most > 0;
          most /= 2) {
        serviceState.forgetEnded(most / 2);
        heading = EventCodec.write(serviceState.heading(ends.values()));
      }
      segment++;
      segmentBytes = Segment.HEADER;
      add(heading, micros(), Caller.SERVICE);
    }
  }

  /// Calls `waiter` as soon as the event with that number is durable, or as soon as writing fails.
  ///
  /// @param waiter called exactly once with whether the event is durable; must not block
  public void whenDurable(long number, Consumer<Boolean> waiter) {
    if (number <= durable) {
      waiter.accept(true);
      return;
    }
    boolean isDurable;
    synchronized (lock) {
      isDurable = number <= durable;
      if (!isDurable && failure == null && !isDone) {
        waiting.add(number, waiter);
        return;
      }
    }
    waiter.accept(isDurable);
  }

  /// Returns why nothing can be written now, or null.
  public @Nullable String failure() {
    return failure;
  }

  public int waiting() {
    synchronized (lock) {
      return waiting.size();
    }
  }

  private void run() {
    try {
      for (JournalBatch batch = next(); batch != null; batch = next()) {
        boolean isLastTry = false;
        while (!tryWrite(batch)) {
          if (isLastTry) {
            return;
          }
          isLastTry = closing.await(RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Error e) {
      FatalError.end("journal", e);
    } finally {
      synchronized (lock) {
        isDone = true;
        failure = "the journal is closed";
      }
      settle(); // fails the requests that still wait
      closeFile();
      mark.close();
    }
  }

  /// Writes the next batch, for services without threads. What cannot be written is tried again by
  /// the next step.
  ///
  /// @return whether there was one
  public boolean step() {
    JournalBatch batch;
    synchronized (lock) {
      batch = batches.pollFirst();
    }
    if (batch == null) {
      return false;
    }
    if (!tryWrite(batch)) {
      synchronized (lock) {
        batches.addFirst(batch);
      }
    }
    return true;
  }

  /// Waits for the next batch to write; returns null when the journal is closed.
  private @Nullable JournalBatch next() throws InterruptedException {
    synchronized (lock) {
      while (batches.isEmpty()) {
        if (isClosing) {
          return null;
        }
        lock.wait();
      }
      return batches.remove();
    }
  }

  private boolean tryWrite(JournalBatch batch) {
    ByteBuffer written;
    long began = System.nanoTime();
    try {
      synchronized (lock) {
        isWriting = true;
        writingSince = System.nanoTime();
      }
      written = writer.write(batch, failure != null);
    } catch (IOException e) {
      end(durable, String.valueOf(e.getMessage()));
      counters.journalFailures.increment();
      settle();
      return false;
    }
    mark.write(batch.last);
    end(batch.last, null);
    counters.journalForces.increment();
    counters.forces.record(System.nanoTime() - began);
    counters.batchSizes.record(batch.records.size());
    feed.advance(batch.last); // whoever has an answer finds its event
    settle();
    writer.hash(written); // nobody waits for this
    return true;
  }

  private void end(long written, @Nullable String why) {
    String before;
    synchronized (lock) {
      isWriting = false;
      durable = written;
      before = failure;
      failure = why;
    }
    if (before == null && why != null) {
      tell("cannot be written, nothing is accepted: " + why);
    } else if (before != null && why == null) {
      tell("can be written again");
    }
  }

  private void tell(String message) {
    observer.notice(Observer.Kind.JOURNAL, "journal", message);
  }

  /// Fails waiting requests when the disk does not answer.
  private void watch() {
    try {
      while (!closing.await(stallNanos / 4 + 1, TimeUnit.NANOSECONDS)) {
        boolean hasStalled;
        synchronized (lock) {
          hasStalled =
              isWriting && failure == null && System.nanoTime() - writingSince > stallNanos;
          if (hasStalled) {
            failure = "the disk does not answer";
          }
        }
        if (hasStalled) {
          counters.journalFailures.increment();
          tell("cannot be written, nothing is accepted: the disk does not answer");
          settle();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeFile() {
    try {
      writer.close();
    } catch (IOException e) {
      failure = String.valueOf(e.getMessage()); // everything in it is already durable
    }
  }

  private void settle() {
    Waiters settled;
    long written;
    synchronized (lock) {
      written = durable;
      settled = waiting.take(failure != null || isDone ? Long.MAX_VALUE : written);
    }
    settled.tell(written);
  }

  /// Closes files without writing anything, as a crash does.
  public void abandon() {
    closeFile();
    mark.close();
  }

  /// Writes everything that was appended, if possible, and ends the thread.
  @Override
  public void close() {
    synchronized (lock) {
      isClosing = true;
      lock.notifyAll();
    }
    closing.countDown();
    if (thread.getState() == Thread.State.NEW) {
      run(); // there is no thread of its own
      return;
    }
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
