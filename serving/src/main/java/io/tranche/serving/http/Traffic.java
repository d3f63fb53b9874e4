package io.tranche.serving.http;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Counts connections, requests and bytes of all connections, and checks their limits. Any thread
/// may call it.
final class Traffic {

  private final HttpLimits limits;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicLong buffered = new AtomicLong();
  private volatile boolean isDraining;

  Traffic(HttpLimits limits) {
    this.limits = limits;
  }

  /// Counts a new connection; returns false if there are too many.
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

  /// Counts a new request; returns false if there are too many.
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

  /// Counts bytes as buffered; returns false if there are too many.
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
