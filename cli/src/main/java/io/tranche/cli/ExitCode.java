package io.tranche.cli;

/// What a process of ours ends with; the same numbers everywhere.
final class ExitCode {

  static final int OK = 0;

  /// A defect of ours, or a check that found something.
  static final int INTERNAL = 1;

  /// Wrong usage or configuration.
  static final int CONFIG = 2;

  /// Wrong data.
  static final int DATA = 3;

  /// A damaged checkpoint, one of another run, or none that can be written.
  static final int CHECKPOINT = 4;

  /// Done, but some orders failed and were put aside.
  static final int FAILED_ORDERS = 5;

  /// Training diverged.
  static final int DIVERGED = 6;

  /// Interrupted by the user.
  static final int INTERRUPTED = 130;

  private ExitCode() {}
}
