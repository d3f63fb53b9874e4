package io.tranche.execution.baseline;

/// Trades as the market usually does over the day, so as to get its volume-weighted price. Where
/// nothing is known of the volume that is still to come, it trades evenly.
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
