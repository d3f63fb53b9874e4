package io.tranche.serving;

import java.util.Map;

/// Holds what shadows would have done against what was done, whichever comes first. Any thread.
final class Shadows {

  private final Counters counters;
  private final Observer observer;

  Shadows(Counters counters, Observer observer) {
    this.counters = counters;
    this.observer = observer;
  }

  /// A shadow would have traded `volume`.
  void said(Pending pending, String model, double volume) {
    LedgerOrder order = pending.order();
    Answer.Child child;
    synchronized (order.day().book()) {
      if (!pending.isSettled()) {
        pending.shadowed().put(model, volume);
        return;
      }
      child = order.child(pending.step());
    }
    if (child != null) {
      compare(model, volume, child);
    }
  }

  /// The decision was taken, or not.
  void settled(Pending pending, Answer answer) {
    if (answer instanceof Answer.Child child) {
      Map<String, Double> said;
      synchronized (pending.order().day().book()) {
        said = Map.copyOf(pending.shadowed());
      }
      said.forEach((model, volume) -> compare(model, volume, child));
    }
  }

  private void compare(String model, double volume, Answer.Child child) {
    counters.shadowDecisions.increment();
    if (child.volume() != volume) {
      counters.shadowDifferent.increment();
      observer.noticed(
          new Observer.Notice(
              Observer.Kind.SHADOW_DIFFERED,
              model,
              "would have traded %s instead of %s at step %d of order %s"
                  .formatted(volume, child.volume(), child.step(), child.id())));
    }
  }
}
