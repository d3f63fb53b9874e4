package io.tranche.serving.ledger;

import io.tranche.serving.Caller;
import io.tranche.serving.Service;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A decision that was requested and not taken yet.
public final class PendingDecision {

  public final LedgerOrder order;
  public final int step;

  /// What remained of the order when the decision was requested.
  public final double seen;

  /// The number of the day's events that the decision may use.
  public final int events;

  /// Who requested it.
  public final String caller = Caller.name();

  /// When it was requested.
  public final long askedNanos;

  /// How long its answer may take.
  public final long nanos;

  /// When it must be taken at the latest.
  public final long dueNanos;

  // Guarded by the lock of the order's instrument.
  private final List<Service.Reply> replies = new ArrayList<>();
  private final Map<String, Double> shadowed = new LinkedHashMap<>();

  private volatile boolean isSettled;

  /// @param reserve the part of `nanos` that is reserved for the journal
  public PendingDecision(
      LedgerOrder order, int step, int events, long askedNanos, long nanos, long reserve) {
    this.order = order;
    this.step = step;
    this.seen = order.remaining();
    this.events = events;
    this.askedNanos = askedNanos;
    this.nanos = nanos;
    this.dueNanos = askedNanos + nanos - reserve;
  }

  public void join(Service.Reply reply) {
    replies.add(reply);
  }

  public List<Service.Reply> replies() {
    return replies;
  }

  /// Returns the volumes of shadows that decided before it was settled, by model.
  public Map<String, Double> shadowed() {
    return shadowed;
  }

  public boolean isSettled() {
    return isSettled;
  }

  public void settle() {
    isSettled = true;
  }
}
