package io.tranche.serving.ledger;

import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The child orders of one order, by step. Guarded by the lock of its [InstrumentState].
final class LedgerChildren {

  private final boolean awaitsCancels;
  private final List<LedgerChild> children = new ArrayList<>(); // later ones have later steps
  private double out;
  private double outValue;
  private int executions;
  private boolean isWorking;

  /// @param awaitsCancels whether what is withdrawn may still fill until its end is reported
  LedgerChildren(boolean awaitsCancels) {
    this.awaitsCancels = awaitsCancels;
  }

  /// Returns what all may still fill in the market.
  double out() {
    return out;
  }

  double outValue() {
    return outValue;
  }

  /// Returns how many were sent.
  int executions() {
    return executions;
  }

  boolean isEmpty() {
    return children.isEmpty();
  }

  @Nullable LedgerChild at(int step) {
    for (int i = children.size() - 1; i >= 0; i--) {
      if (children.get(i).child.step() == step) {
        return children.get(i);
      }
    }
    return null;
  }

  /// Whether one is out that is not to be withdrawn.
  boolean isWorking() {
    return isWorking;
  }

  /// Returns what the newest one may still fill, unless it is to be withdrawn.
  double working() {
    return !children.isEmpty() && children.getLast().isWorking()
        ? children.getLast().unfilled()
        : 0;
  }

  /// Adds one of a later step, which takes the place of those before it.
  ///
  /// @param price what its value is counted with; NaN if none is known
  void add(Answer.Child child, double price) {
    withdraw();
    children.add(new LedgerChild(child, price));
    executions += child.volume() > 0 ? 1 : 0;
  }

  /// Withdraws all from the market.
  void withdraw() {
    children.forEach(each -> each.withdraw(awaitsCancels));
  }

  /// Counts a fill.
  ///
  /// @param step of its child order; -1 for none
  void fill(int step, double volume, double negligible) {
    LedgerChild child = at(step);
    if (child != null && volume > 0) {
      child.fill(volume, negligible);
    }
  }

  /// Forgets all fills, to count them again.
  void unfill() {
    children.forEach(LedgerChild::unfill);
  }

  /// Returns the one that a report is about.
  ///
  /// @throws IllegalArgumentException if there is none
  LedgerChild require(Request.Report report) {
    LedgerChild child = at(report.step());
    if (child == null) {
      throw new IllegalArgumentException(
          "step of a report of order %s must be one that was decided, was %d"
              .formatted(report.id(), report.step()));
    }
    return child;
  }

  /// Adds up what is out, after any change.
  void sync() {
    out = 0;
    outValue = 0;
    isWorking = false;
    for (LedgerChild each : children) {
      isWorking |= each.isWorking();
      out += each.out();
      outValue += each.value();
    }
  }

  List<Answer.ChildState> states() {
    return children.stream().map(LedgerChild::state).toList();
  }
}
