package io.tranche.serving.ledger;

import io.tranche.serving.Answer;
import io.tranche.serving.Phase;

/// A child order and what became of it. Guarded by the lock of its [InstrumentState].
final class LedgerChild {

  final Answer.Child child;
  private final double price;
  private double filled;
  private Phase phase;

  /// @param price what its value is counted with; NaN if none was known
  LedgerChild(Answer.Child child, double price) {
    this.child = child;
    this.price = price;
    this.phase = child.volume() > 0 ? Phase.PENDING_NEW : Phase.DONE;
  }

  double filled() {
    return filled;
  }

  Phase phase() {
    return phase;
  }

  double unfilled() {
    return Math.max(child.volume() - filled, 0);
  }

  /// Returns what may still fill in the market.
  double out() {
    return phase == Phase.DONE ? 0 : unfilled();
  }

  /// Returns the value of what is out.
  double value() {
    double out = out();
    return out > 0 && price > 0 ? out * price : 0;
  }

  /// Whether it is out and not to be withdrawn.
  boolean isWorking() {
    return phase == Phase.PENDING_NEW || phase == Phase.WORKING;
  }

  void fill(double volume, double negligible) {
    filled += volume;
    if (phase == Phase.PENDING_NEW) {
      phase = Phase.WORKING;
    }
    if (unfilled() <= negligible) {
      phase = Phase.DONE;
    }
  }

  /// Forgets its fills, to count them again.
  void unfill() {
    filled = 0;
  }

  /// Withdraws it from the market.
  ///
  /// @param isAwaited whether it may still fill until its end is reported
  void withdraw(boolean isAwaited) {
    if (phase != Phase.DONE) {
      phase = isAwaited ? Phase.PENDING_CANCEL : Phase.DONE;
    }
  }

  /// Whether a report changes something.
  boolean isChangedBy(Phase reported) {
    return reported == Phase.DONE ? phase != Phase.DONE : phase == Phase.PENDING_NEW;
  }

  void report(Phase reported) {
    if (isChangedBy(reported)) {
      phase = reported;
    }
  }

  Answer.ChildState state() {
    return new Answer.ChildState(
        child.step(), child.volume(), filled, phase, child.source(), child.limited());
  }
}
