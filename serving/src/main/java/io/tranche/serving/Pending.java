package io.tranche.serving;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A decision that was asked for and not taken yet.
final class Pending {

  private final LedgerOrder order;
  private final int step;
  private final double seen;
  private final int events;
  private final long askedNanos;
  private final long nanos;
  private final long dueNanos;

  // Guarded by the lock of the order's book.
  private final List<Service.Reply> replies = new ArrayList<>();
  private final Map<String, Double> shadowed = new LinkedHashMap<>();

  private volatile boolean isSettled;

  /// @param events how many events of the day it may rest on
  /// @param askedNanos when it was asked for
  /// @param nanos how long its answer may take
  /// @param reserve how much of that is kept for the journal
  Pending(LedgerOrder order, int step, int events, long askedNanos, long nanos, long reserve) {
    this.order = order;
    this.step = step;
    this.seen = order.remaining();
    this.events = events;
    this.askedNanos = askedNanos;
    this.nanos = nanos;
    this.dueNanos = askedNanos + nanos - reserve;
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

  /// Returns how long its answer may take.
  long nanos() {
    return nanos;
  }

  /// Returns when it must be taken.
  long dueNanos() {
    return dueNanos;
  }

  void join(Service.Reply reply) {
    replies.add(reply);
  }

  List<Service.Reply> replies() {
    return replies;
  }

  /// Returns the volumes that shadows named before it was settled, by their models.
  Map<String, Double> shadowed() {
    return shadowed;
  }

  boolean isSettled() {
    return isSettled;
  }

  void settle() {
    isSettled = true;
  }
}
