package io.tranche.execution.baseline;

/// Trades a fixed share of the market's volume (percentage of volume).
///
/// It expects the usual market volume in the next step, and corrects earlier deviations. The last
/// decision trades what is left.
///
/// @param participation the share, in (0, 1]
public record PovBaseline(double participation, VolumeCurve curve) implements Baseline {

  public PovBaseline {
    if (!(participation > 0 && participation <= 1)) {
      throw new IllegalArgumentException("participation must be in (0, 1], was " + participation);
    }
  }

  @Override
  public double volume(DecisionView view) {
    if (view.isLastStep()) {
      return view.remaining();
    }
    double market = curve.usual(view, view.tick(), view.stepEnd());
    for (int tick = view.firstTick(); tick < view.tick(); tick++) {
      market += view.volume(tick);
    }
    double traded = view.order().amount() - view.remaining();
    return Math.clamp(participation * market - traded, 0, view.remaining());
  }
}
