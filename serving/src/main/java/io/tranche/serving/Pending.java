package io.tranche.serving;

import java.util.ArrayList;
import java.util.List;

/// A decision that was asked for and not taken yet.
final class Pending {

  private final LedgerOrder order;
  private final int step;
  private final double seen;
  private final int events;
  private final long askedNanos;
  private final long dueNanos;

  // Guarded by the lock of the order's book.
  private final List<Service.Reply> replies = new ArrayList<>();

  private volatile boolean isSettled;

  /// @param events how many events of the day it may rest on
  /// @param askedNanos when it was asked for
  /// @param dueNanos when it must be taken
  Pending(LedgerOrder order, int step, int events, long askedNanos, long dueNanos) {
    this.order = order;
    this.step = step;
    this.seen = order.remaining();
    this.events = events;
    this.askedNanos = askedNanos;
    this.dueNanos = dueNanos;
  }

  LedgerOrder order() {
    return order;
  }

  int step() {
    return step;
  }

  /// Returns what remained when it was asked for.
  double seen() {
    return seen;
  }

  int events() {
    return events;
  }

  long askedNanos() {
    return askedNanos;
  }

  long dueNanos() {
    return dueNanos;
  }

  void join(Service.Reply reply) {
    replies.add(reply);
  }

  List<Service.Reply> replies() {
    return replies;
  }

  boolean isSettled() {
    return isSettled;
  }

  void settle() {
    isSettled = true;
  }
}
