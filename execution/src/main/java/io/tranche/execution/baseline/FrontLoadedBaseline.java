package io.tranche.execution.baseline;

/// Trades early, to save implementation shortfall when waiting is the risk: what remains shrinks
/// with the time that is left, to the power of `urgency`.
///
/// @param urgency at least 1, which is TWAP; at 2 half the time leaves a quarter of the order
public record FrontLoadedBaseline(double urgency) implements Baseline {

  public FrontLoadedBaseline {
    if (!(urgency >= 1 && urgency < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("urgency must be finite and at least 1, was " + urgency);
    }
  }

  @Override
  public double volume(DecisionView view) {
    double timeKept = (double) (view.endTick() - view.stepEnd()) / (view.endTick() - view.tick());
    return view.remaining() * (1 - Math.pow(timeKept, urgency));
  }
}
