package io.tranche.execution.baseline;

import io.tranche.env.Observation;
import io.tranche.env.space.Value;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.interpreter.CurrentStepObservation;
import io.tranche.market.Order;
import io.tranche.market.feature.ProgressObservation;

/// What a rule may know when it decides: the order, its progress, and the market until now.
///
/// Ticks count from the first of the day. Asking for a price or volume of a future tick throws, so
/// no rule looks ahead by mistake.
public final class DecisionView implements Observation, ProgressObservation {

  private final ExecutionState state;

  DecisionView(ExecutionState state) {
    this.state = state;
  }

  public Order order() {
    return state.order();
  }

  /// Returns what remains of the order.
  public double remaining() {
    return state.remaining();
  }

  public int step() {
    return state.step();
  }

  /// Returns the first tick of the step.
  public int tick() {
    return state.tick();
  }

  /// Returns the tick after the last one of the step.
  public int stepEnd() {
    return state.stepEnd();
  }

  /// Returns the first tick of the order's window.
  public int firstTick() {
    return state.firstTick();
  }

  /// Returns the tick after the last one of the order's window.
  public int endTick() {
    return state.endTick();
  }

  /// Whether there is no decision after this one.
  public boolean isLastStep() {
    return stepEnd() >= endTick();
  }

  /// Returns the number of ticks in the day.
  public int dayTicks() {
    return state.ticks().count();
  }

  /// Returns the [io.tranche.market.BarTime] of any tick of the day: the calendar is known ahead.
  public long time(int anyTick) {
    return state.ticks().time(anyTick);
  }

  /// Returns the deal price of a past tick.
  public double price(int pastTick) {
    return state.ticks().price(past(pastTick));
  }

  /// Returns the market's volume at a past tick; 0 for a missing bar.
  public double volume(int pastTick) {
    double volume = state.ticks().volume(past(pastTick));
    return volume > 0 ? volume : 0;
  }

  private int past(int tick) {
    if (tick < 0 || tick >= tick()) {
      throw new IndexOutOfBoundsException(
          "tick must be over, in [0, %d), was %d of %s".formatted(tick(), tick, order()));
    }
    return tick;
  }

  @Override
  public float remainingShare() {
    return progress().remainingShare();
  }

  @Override
  public float stepShare() {
    return progress().stepShare();
  }

  @Override
  public int sideCode() {
    return order().side().code();
  }

  private CurrentStepObservation progress() {
    return new CurrentStepObservation(
        order().side(), state.step(), state.maxSteps(), order().amount(), state.remaining(), false);
  }

  /// Returns the value that a current-step interpreter shows.
  @Override
  public Value toValue() {
    return progress().toValue();
  }
}
