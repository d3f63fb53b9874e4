package io.tranche.cli.console;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The exit codes of every verb.
public final class ExitCode {

  public static final int OK = 0;
  public static final int INTERNAL = 1;
  public static final int CONFIG = 2;
  public static final int DATA = 3;
  public static final int CHECKPOINT = 4;
  public static final int FAILED_ORDERS = 5;

  /// Done, but some of the data were left out.
  public static final int LEFT_OUT = FAILED_ORDERS;

  public static final int DIVERGED = 6;
  public static final int INTERRUPTED = 130;

  private ExitCode() {}

  /// Returns what each code means, for the documentation.
  public static SortedMap<Integer, String> meanings() {
    return new TreeMap<>(
        Map.of(
            OK, "done",
            INTERNAL, "a defect of ours (with a stack trace), or a check that failed",
            CONFIG, "wrong usage or configuration; also a folder in which another process works",
            DATA, "wrong data, or a file that cannot be written",
            CHECKPOINT, "a checkpoint or bundle that is damaged or belongs to another run",
            FAILED_ORDERS, "done, but some orders failed or some data were left out; each is named",
            DIVERGED, "training diverged",
            INTERRUPTED, "interrupted"));
  }
}
