package io.tranche.serving.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// Counts connections, requests and bytes of all connections, and checks their limits. Any thread
/// may call it.
final class Traffic {

  private final HttpLimits limits;
  private final AtomicLong connections = new AtomicLong();
  private final AtomicLong inFlight = new AtomicLong();
  private final AtomicLong buffered = new AtomicLong();
  private final LongAdder sent = new LongAdder();
  private final AtomicLong streams = new AtomicLong();
  private final LongAdder droppedStreams = new LongAdder();
  private volatile boolean isDraining;

  Traffic(HttpLimits limits) {
    this.limits = limits;
  }

  /// Counts a new connection; returns false if there are too many.
  boolean connect() {
    return add(connections, 1, limits.connections());
  }

  void disconnect() {
    connections.decrementAndGet();
  }

  long connections() {
    return connections.get();
  }

  /// Counts a new request; returns false if there are too many.
  ///
  /// @param isUrgent whether no limit applies
  boolean begin(boolean isUrgent) {
    return add(inFlight, 1, isUrgent ? Long.MAX_VALUE : limits.inFlight());
  }

  void end() {
    inFlight.decrementAndGet();
  }

  long inFlight() {
    return inFlight.get();
  }

  /// Counts bytes as buffered; returns false if there are too many.
  ///
  /// @param isUrgent whether no limit applies
  boolean reserve(int bytes, boolean isUrgent) {
    return add(buffered, bytes, isUrgent ? Long.MAX_VALUE : limits.bufferedBytes());
  }

  private static boolean add(AtomicLong count, int more, long most) {
    boolean fits = count.addAndGet(more) <= most;
    if (!fits) {
      count.addAndGet(-more);
    }
    return fits;
  }

  void release(int bytes) {
    buffered.addAndGet(-bytes);
  }

  long buffered() {
    return buffered.get();
  }

  /// Counts a new stream of events; returns false if there are too many.
  boolean openStream() {
    return add(streams, 1, limits.streams());
  }

  void closeStream() {
    streams.decrementAndGet();
  }

  long streams() {
    return streams.get();
  }

  /// Counts a reader that was too slow.
  void dropStream() {
    droppedStreams.increment();
  }

  LongAdder droppedStreams() {
    return droppedStreams;
  }

  /// Counts bytes of an answer.
  void sent(int bytes) {
    sent.add(bytes);
  }

  LongAdder sent() {
    return sent;
  }

  void drain() {
    isDraining = true;
  }

  boolean isDraining() {
    return isDraining;
  }
}
