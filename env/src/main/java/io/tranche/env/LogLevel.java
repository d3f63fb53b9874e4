package io.tranche.env;

/// How important a logged value is. Qlib: `qlib.rl.utils.LogLevel`.
public enum LogLevel {
  DEBUG(10),
  PERIODIC(20),
  INFO(30),
  CRITICAL(40);

  private final int code;

  LogLevel(int code) {
    this.code = code;
  }

  /// Returns Qlib's number.
  public int code() {
    return code;
  }

  public boolean isAtLeast(LogLevel other) {
    return code >= other.code;
  }
}
