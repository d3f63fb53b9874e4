package io.tranche.execution.baseline;

/// Follows the market's volume over the day as a curve expects it, to get its volume-weighted price. Without a
/// known future volume, it trades evenly.
public record VwapBaseline(VolumeCurve curve) implements Baseline {

  @Override
  public double volume(DecisionView view) {
    double ahead = curve.usual(view, view.tick(), view.endTick());
    if (view.isLastStep() || !(ahead > 0)) {
      return TwapBaseline.even(view);
    }
    // A part may exceed the whole by a rounding error.
    double share = Math.min(1, curve.usual(view, view.tick(), view.stepEnd()) / ahead);
    return view.remaining() * share;
  }
}
