package io.tranche.cli.console;

/// The exit codes of every verb.
public final class ExitCode {

  public static final int OK = 0;

  /// A defect of ours, or a check that failed.
  public static final int INTERNAL = 1;

  /// Wrong usage or configuration.
  public static final int CONFIG = 2;

  /// Wrong data, or a file that cannot be written.
  public static final int DATA = 3;

  /// A checkpoint that is damaged or belongs to another run.
  public static final int CHECKPOINT = 4;

  /// Done, but some orders failed and were set aside.
  public static final int FAILED_ORDERS = 5;

  /// Done, but some of the data were left out.
  public static final int LEFT_OUT = FAILED_ORDERS;

  /// Training diverged.
  public static final int DIVERGED = 6;

  /// Interrupted by the user.
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
