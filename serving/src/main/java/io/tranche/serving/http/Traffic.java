package io.tranche.serving.http;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// What is under way in all connections together, and how much of it may be. Any thread.
final class Traffic {

  private final HttpLimits limits;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicLong buffered = new AtomicLong();
  private volatile boolean isDraining;

  Traffic(HttpLimits limits) {
    this.limits = limits;
  }

  /// Counts a connection in; false if there are too many.
  boolean connect() {
    if (connections.incrementAndGet() > limits.connections()) {
      connections.decrementAndGet();
      return false;
    }
    return true;
  }

  void disconnect() {
    connections.decrementAndGet();
  }

  int connections() {
    return connections.get();
  }

  /// Counts a request in; false if there are too many.
  boolean begin() {
    if (inFlight.incrementAndGet() > limits.inFlight()) {
      inFlight.decrementAndGet();
      return false;
    }
    return true;
  }

  void end() {
    inFlight.decrementAndGet();
  }

  int inFlight() {
    return inFlight.get();
  }

  /// Counts bytes in; false if there are too many.
  boolean reserve(int bytes) {
    if (buffered.addAndGet(bytes) > limits.bufferedBytes()) {
      buffered.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  void release(int bytes) {
    buffered.addAndGet(-bytes);
  }

  long buffered() {
    return buffered.get();
  }

  void drain() {
    isDraining = true;
  }

  boolean isDraining() {
    return isDraining;
  }
}
