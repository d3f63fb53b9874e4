package io.tranche.execution.baseline;

/// Trades early, to reduce the risk of waiting: what remains is proportional to the remaining time
/// to the power of `urgency`.
///
/// @param urgency at least 1, which is TWAP; with 2, a quarter of the order is left after half the
///   time
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
