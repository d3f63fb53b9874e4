package @PACKAGE@;

import io.tranche.execution.baseline.Baseline;
import io.tranche.execution.baseline.DecisionView;

/// A rule: trades evenly over the first half of the order's window.
public record FirstHalf() implements Baseline {

  @Override
  public double volume(DecisionView view) {
    int half = view.firstTick() + (view.endTick() - view.firstTick()) / 2;
    if (view.stepEnd() >= half) {
      return view.remaining();
    }
    return view.remaining() * (view.stepEnd() - view.tick()) / (half - view.tick());
  }
}
