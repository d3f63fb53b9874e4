package io.tranche.execution.interpreter;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.StepProgress;

/// Reads a continuous action as a multiple of the TWAP rate: 1 trades what remains evenly until the
/// end. Qlib: `TwapRelativeActionInterpreter`.
public final class TwapRelativeInterpreter
    implements ActionInterpreter<ExecutionState, ChildOrder>, ContinuousActions {

  /// How the TWAP rate is computed.
  public enum Estimate {
    /// By the ticks of the next step and those until the end: exact for every order.
    TICKS,
    /// By whole steps, as in Qlib. This ignores the short first step of an order that starts
    /// between two boundaries, and trades everything one step early (quirk Q6).
    WHOLE_STEPS
  }

  private final Estimate estimate;
  private final ActionRange rates;

  private TwapRelativeInterpreter(Estimate estimate, ActionRange rates) {
    this.estimate = estimate;
    this.rates = rates;
  }

  /// Reads multiples without an upper bound, which agents cannot learn.
  ///
  /// @param estimate how the remaining time is estimated
  public TwapRelativeInterpreter(Estimate estimate) {
    this(estimate, ActionRange.endless(ElementType.FLOAT32));
  }

  /// Reads multiples from 0 to `maxRate`; the space has room beyond both.
  public static TwapRelativeInterpreter upTo(double maxRate) {
    if (!(maxRate > 1)) {
      throw new IllegalArgumentException("maxRate must be above 1, was " + maxRate);
    }
    return new TwapRelativeInterpreter(Estimate.TICKS, ActionRange.of(0, maxRate));
  }

  public Estimate estimate() {
    return estimate;
  }

  /// Returns the largest multiple, infinity if there is none.
  public double maxRate() {
    return rates.high();
  }

  @Override
  public Space actionSpace() {
    return rates.space();
  }

  /// @throws IllegalStateException if the order is finished and the estimate cannot tell how long
  ///   it still takes
  @Override
  public ChildOrder interpret(ExecutionState state, Action action) {
    if (estimate == Estimate.WHOLE_STEPS) {
      requireUnfinished(state);
    }
    return ChildOrder.market(volume(state, action.number()));
  }

  @Override
  public int numbers() {
    return 1;
  }

  @Override
  public double volume(StepProgress progress, boolean isLast, float[] action, int at) {
    return volume(progress, action[at]);
  }

  @Override
  public Kind kind(boolean isLast, float[] action, int at) {
    return Kind.MARKET;
  }

  @Override
  public double[] twap(int steps) {
    return new double[] {1};
  }

  private double volume(StepProgress progress, double multiple) {
    double remaining = progress.remaining();
    double wanted =
        rates.read(multiple)
            * switch (estimate) {
              case TICKS -> NextStep.evenSlice(progress);
              case WHOLE_STEPS -> remaining / (wholeSteps(progress) - progress.step());
            };
    // NaN trades everything, as in Qlib.
    return wanted < remaining ? wanted : remaining;
  }

  private static int wholeSteps(StepProgress progress) {
    return Math.ceilDiv(progress.ticksForOrder(), progress.ticksPerStep());
  }

  private static void requireUnfinished(ExecutionState state) {
    int total = wholeSteps(state);
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
  }
}
