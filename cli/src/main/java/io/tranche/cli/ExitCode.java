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

  private ExitCode() {}
}
