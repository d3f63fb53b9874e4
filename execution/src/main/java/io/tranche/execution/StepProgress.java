package io.tranche.execution;

/// The progress of an order and where its next decision stands among the ticks of its window, of
/// which only differences count.
public interface StepProgress extends OrderProgress {

  /// Returns the tick of the next decision.
  int tick();

  /// Returns the tick of the decision after the next one, or the end of the order.
  int stepEnd();

  /// Returns the tick after the order's last one.
  int endTick();

  /// Returns the number of ticks of the whole order.
  int ticksForOrder();

  /// Returns the number of ticks of a whole step.
  int ticksPerStep();
}
