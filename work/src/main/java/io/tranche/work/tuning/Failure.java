package io.tranche.work.tuning;

/// Why a trial could not go on. Its settings are at fault, so other trials may succeed.
public record Failure(Kind kind, String reason) {

  /// What is wrong with the settings.
  public enum Kind {
    CONFIG,
    DATA,
    DIVERGED
  }
}
