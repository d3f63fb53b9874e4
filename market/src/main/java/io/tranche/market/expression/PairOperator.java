package io.tranche.market.expression;

/// Statistics over the last bars of two expressions.
public enum PairOperator {
  CORR("Corr"),
  COV("Cov");

  private final String text;

  PairOperator(String text) {
    this.text = text;
  }

  /// Returns Qlib's name.
  @Override
  public String toString() {
    return text;
  }
}
