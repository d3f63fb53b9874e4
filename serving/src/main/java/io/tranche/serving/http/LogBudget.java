package io.tranche.serving.http;

import java.util.concurrent.TimeUnit;

/// Bounds how many lines per second a caller can make the service log. Any thread may call it.
final class LogBudget {

  private final int perSecond;
  private long second = Long.MIN_VALUE;
  private int lines;
  private int hidden;

  LogBudget(int perSecond) {
    this.perSecond = perSecond;
  }

  /// Counts a line.
  ///
  /// @return how many were left out since the last one; -1 if this one must be left out too
  synchronized int count(long nanos) {
    long now = nanos / TimeUnit.SECONDS.toNanos(1);
    if (now != second) {
      second = now;
      lines = 0;
    }
    if (lines >= perSecond) {
      hidden++;
      return -1;
    }
    lines++;
    int left = hidden;
    hidden = 0;
    return left;
  }
}
