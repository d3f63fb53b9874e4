package io.tranche.execution.baseline;

import io.tranche.env.Observation;
import io.tranche.env.space.Value;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.interpreter.CurrentStepObservation;
import io.tranche.market.Order;

/// What a rule may know when it decides: the order, how far it is, and the market until now.
///
/// Ticks count from the first of the day. Prices and volumes of ticks still to come are refused, so
/// no rule looks ahead by mistake.
public final class DecisionView implements Observation {

  private final ExecutionState state;

  DecisionView(ExecutionState state) {
    this.state = state;
  }

  public Order order() {
    return state.order();
  }

  /// Returns what remains to be traded.
  public double remaining() {
    return state.remaining();
  }

  public int step() {
    return state.step();
  }

  /// Returns the first tick that the decision trades at.
  public int tick() {
    return state.tick();
  }

  /// Returns the tick after the last one that the decision trades at.
  public int stepEnd() {
    return state.stepEnd();
  }

  /// Returns the first tick that the order may trade at.
  public int firstTick() {
    return state.firstTick();
  }

  /// Returns the tick after the last one that the order may trade at.
  public int endTick() {
    return state.endTick();
  }

  /// Whether there is no decision after this one.
  public boolean isLastStep() {
    return stepEnd() >= endTick();
  }

  /// Returns how many ticks the day has.
  public int dayTicks() {
    return state.ticks().count();
  }

  /// Returns the [io.tranche.market.BarTime] of any tick of the day: the calendar is known ahead.
  public long time(int anyTick) {
    return state.ticks().time(anyTick);
  }

  /// Returns the deal price of a tick that is over.
  public double price(int pastTick) {
    return state.ticks().price(past(pastTick));
  }

  /// Returns the market's volume at a tick that is over; a missing bar traded nothing.
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

  /// Returns the same as a current-step interpreter shows.
  @Override
  public Value toValue() {
    return new CurrentStepObservation(
            order().side(),
            state.step(),
            state.maxSteps(),
            order().amount(),
            state.remaining(),
            false)
        .toValue();
  }
}
