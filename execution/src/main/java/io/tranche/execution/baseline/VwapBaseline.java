package io.tranche.execution.baseline;

/// Follows the market's usual volume over the day, to get its volume-weighted price. Without a
/// known future volume, it trades evenly.
public record VwapBaseline(VolumeHistory history) implements Baseline {

  @Override
  public double volume(DecisionView view) {
    double ahead = history.usual(view, view.tick(), view.endTick());
    if (view.isLastStep() || !(ahead > 0)) {
      return TwapBaseline.even(view);
    }
    // A part may exceed the whole by a rounding error.
    double share = Math.min(1, history.usual(view, view.tick(), view.stepEnd()) / ahead);
    return view.remaining() * share;
  }
}
