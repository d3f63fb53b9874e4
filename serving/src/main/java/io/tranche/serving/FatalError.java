package io.tranche.serving;

import java.lang.System.Logger.Level;

/// Ends the process after an [Error], such as too little memory: what is in memory may no longer
/// agree with the journal, and a restarted service recovers from the journal.
public final class FatalError {

  /// The exit code: an internal error.
  static final int STATUS = 1;

  private FatalError() {}

  /// Returns work that ends the process when it throws an error.
  public static Runnable guarded(String where, Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (Error e) {
        end(where, e);
      }
    };
  }

  /// Does not return.
  ///
  /// @param where the thread that failed
  public static void end(String where, Error e) {
    try {
      System.getLogger(FatalError.class.getName())
          .log(Level.ERROR, where + ": expected no error, was " + e + "; the process ends");
    } finally {
      Runtime.getRuntime().halt(STATUS);
    }
  }
}
