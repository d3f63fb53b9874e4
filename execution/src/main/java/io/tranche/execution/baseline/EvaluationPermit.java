package io.tranche.execution.baseline;

/// The caller's promise that a policy that sees the future is only used to judge, never to train or
/// trade.
///
/// @param purpose what it is for, such as `upper bound in the report`
public record EvaluationPermit(String purpose) {

  public EvaluationPermit {
    if (purpose.isBlank()) {
      throw new IllegalArgumentException("purpose must be given, was '" + purpose + "'");
    }
  }
}
