package io.tranche.serving.model;

import io.tranche.serving.Answer;
import io.tranche.serving.Counters;
import io.tranche.serving.Observer;
import io.tranche.serving.ledger.LedgerOrder;
import io.tranche.serving.ledger.PendingDecision;
import java.util.Map;

/// Compares the decisions of shadows with the decision that was taken, whichever comes first. Any
/// thread may call it.
public final class ShadowComparison {

  private final Counters counters;
  private final Observer observer;

  public ShadowComparison(Counters counters, Observer observer) {
    this.counters = counters;
    this.observer = observer;
  }

  /// A shadow would have traded `volume`.
  public void said(PendingDecision pending, String model, double volume) {
    LedgerOrder order = pending.order;
    Answer.Child child;
    synchronized (order.day().instrument()) {
      if (!pending.isSettled()) {
        pending.shadowed().put(model, volume);
        return;
      }
      child = order.child(pending.step);
    }
    if (child != null) {
      compare(model, volume, child);
    }
  }

  /// The decision was taken or refused.
  public void settled(PendingDecision pending, Answer answer) {
    if (answer instanceof Answer.Child child) {
      Map<String, Double> said;
      synchronized (pending.order.day().instrument()) {
        said = Map.copyOf(pending.shadowed());
      }
      said.forEach((model, volume) -> compare(model, volume, child));
    }
  }

  private void compare(String model, double volume, Answer.Child child) {
    counters.shadowDecisions.increment();
    if (child.volume() != volume) {
      counters.shadowDifferent.increment();
      observer.notice(
          Observer.Kind.SHADOW_DIFFERED,
          model,
          "would have traded %s instead of %s at step %d of order %s"
              .formatted(volume, child.volume(), child.step(), child.id()));
    }
  }
}
