package io.tranche.execution.interpreter;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.ExecutionState;

/// Reads a continuous action as a multiple of the TWAP rate: 1 trades what remains evenly until the
/// end. Qlib: `TwapRelativeActionInterpreter`.
///
/// @param estimate how the remaining time is estimated
public record TwapRelativeInterpreter(Estimate estimate)
    implements ActionInterpreter<ExecutionState, ChildOrder> {

  /// How the TWAP rate is computed.
  public enum Estimate {
    /// By the ticks of the next step and those until the end: exact for every order.
    TICKS,
    /// By whole steps, as in Qlib. This ignores the short first step of an order that starts
    /// between two boundaries, and trades everything one step early (quirk Q6).
    WHOLE_STEPS
  }

  private static final Space SPACE =
      Space.Box.scalar(ElementType.FLOAT32, 0, Double.POSITIVE_INFINITY);

  @Override
  public Space actionSpace() {
    return SPACE;
  }

  /// @throws IllegalStateException if the order is finished and the estimate cannot tell how long
  ///   it still takes
  @Override
  public ChildOrder interpret(ExecutionState state, Action action) {
    double remaining = state.remaining();
    double wanted =
        action.number()
            * switch (estimate) {
              case TICKS -> NextStep.evenSlice(state);
              case WHOLE_STEPS -> wholeStepSlice(state);
            };
    // NaN trades everything, as in Qlib.
    return ChildOrder.market(wanted < remaining ? wanted : remaining);
  }

  private static double wholeStepSlice(ExecutionState state) {
    int total = Math.ceilDiv(state.ticksForOrder(), state.ticksPerStep());
    // Qlib: here the remaining amount is a Python number, and dividing it by zero fails; elsewhere
    // it is a numpy number, where it works. Only the simple simulator sets it to zero when
    // finished.
    boolean isFilled = state.remaining() == 0 && state.metrics() != null;
    boolean isPlain = state.step() == 0 || isFilled;
    if (isPlain && total == state.step()) {
      throw new IllegalStateException(
          "order must not be finished, was at step %d of %d: %s"
              .formatted(state.step(), total, state.order()));
    }
    return state.remaining() / (total - state.step());
  }
}
