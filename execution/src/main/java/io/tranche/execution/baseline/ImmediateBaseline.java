package io.tranche.execution.baseline;

/// Trades everything at once.
public record ImmediateBaseline() implements Baseline {

  @Override
  public double volume(DecisionView view) {
    return view.remaining();
  }
}
