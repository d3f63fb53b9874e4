package io.tranche.policy.agent;

/// What happens to a continuous action that is not finite.
public enum InvalidActions {
  /// It is an error.
  ERROR,
  /// It is replaced by the nearest bound; NaN by the lower one.
  BOUND
}
