package io.tranche.work.tuning;

/// Why a trial could not go on. The fault of its settings: another trial may be better off.
public record Failure(Kind kind, String reason) {

  /// What is wrong with them.
  public enum Kind {
    CONFIG,
    DATA,
    DIVERGED
  }
}
