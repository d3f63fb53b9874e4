package io.tranche.trainer.checkpoint;

/// Why a run is to stop.
public enum Stop {
  /// It has had all its iterations; given more, it can go on.
  BUDGET,
  /// Someone outside asked, such as a user with Ctrl-C; it can go on.
  REQUEST,
  /// A callback asked: it is over.
  CALLBACK
}
