package io.tranche.examples.java;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.Metric;
import io.tranche.env.Numbers;
import io.tranche.env.Reward;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.policy.network.Mlp;
import io.tranche.policy.network.Network;

/// Parts of your own, as objects.
public final class OwnParts {

  private OwnParts() {}

  /// Shows the progress of the order and where the last close lies between its high and low.
  static StateInterpreter<ExecutionState, Numbers> observation() {
    return StateInterpreter.numbers(3, OwnParts::show);
  }

  private static double[] show(ExecutionState state) {
    int last = state.tick() - 1;
    double high = last < 0 ? Double.NaN : state.ticks().high(last);
    double low = last < 0 ? Double.NaN : state.ticks().low(last);
    double place = high > low ? (state.ticks().price(last) - low) / (high - low) : 0.5;
    return new double[] {
      state.remaining() / state.order().amount(),
      (double) state.step() / state.maxSteps(),
      Double.isFinite(place) ? place : 0.5
    };
  }

  static Network.Maker<Numbers> network() {
    return Mlp.flat(16);
  }

  /// Trades nothing, a third, two thirds or all of what remains.
  static ActionInterpreter<ExecutionState, ChildOrder> actions() {
    return ActionInterpreter.choices(
        4, (state, choice) -> ChildOrder.market(state.remaining() * choice / 3));
  }

  /// Pays for early fills.
  static Reward<ExecutionState> reward() {
    return (state, env) -> -state.remaining() / state.order().amount() * env.step();
  }

  static Metric<ExecutionState> metric() {
    return Metric.everyStep("left", state -> state.remaining() / state.order().amount());
  }
}
