package io.tranche.execution.baseline;

/// Trades evenly over all ticks until the end, so a short first step gets less.
public record TwapBaseline() implements Baseline {

  @Override
  public double volume(DecisionView view) {
    return even(view);
  }

  static double even(DecisionView view) {
    return view.isLastStep()
        ? view.remaining()
        : view.remaining() * (view.stepEnd() - view.tick()) / (view.endTick() - view.tick());
  }
}
