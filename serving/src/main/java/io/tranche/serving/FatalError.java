package io.tranche.serving;

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
  @SuppressWarnings("SystemOut") // the log may need memory that is not there
  public static void end(String where, Error e) {
    try {
      System.err.println(where + ": expected no error, was " + e + "; the process ends");
      System.err.flush();
    } finally {
      Runtime.getRuntime().halt(STATUS);
    }
  }
}
