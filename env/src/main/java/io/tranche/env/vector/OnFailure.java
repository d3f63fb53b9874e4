package io.tranche.env.vector;

/// What happens when an episode ends in an exception.
public enum OnFailure {
  /// The episode is reported with its identity and discarded; the others continue.
  QUARANTINE,
  /// The exception ends the collect, as in Qlib.
  PROPAGATE
}
