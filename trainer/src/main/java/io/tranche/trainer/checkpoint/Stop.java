package io.tranche.trainer.checkpoint;

/// Why a run stops.
public enum Stop {
  /// It has completed all its iterations; with a larger budget it can continue.
  BUDGET,
  /// A user asked, for instance with Ctrl-C; it can continue.
  REQUEST,
  /// A callback asked; it cannot continue.
  CALLBACK
}
