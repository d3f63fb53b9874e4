package io.tranche.benchmarks.serving;

import io.tranche.cli.console.Text;
import org.HdrHistogram.Histogram;

/// The result of some seconds of load.
///
/// @param offered requests per second, as scheduled
/// @param achieved correct answers per second, up to the last answer
/// @param unanswered requests at the end; they count in `latency` with their age at that time
/// @param latency from the scheduled time of a request to its answer, in nanoseconds
/// @param lateness from the scheduled time of a request to its sending: the generator's own delay
record LoadResult(
    double offered,
    double achieved,
    long right,
    long fallbacks,
    long wrong,
    long unanswered,
    Histogram latency,
    Histogram lateness) {

  /// Returns a percentile of the latency from schedule, in milliseconds.
  double millis(double percentile) {
    return latency.getValueAtPercentile(percentile) / 1e6;
  }

  /// Returns the 99th percentile of how late requests were sent, in milliseconds.
  double latenessMillis() {
    return lateness.getValueAtPercentile(99) / 1e6;
  }

  /// Returns the share of requests whose answer was wrong or never came.
  double failedShare() {
    long failed = fallbacks + wrong + unanswered;
    return failed == 0 ? 0 : (double) failed / (right + failed);
  }

  @Override
  public String toString() {
    return Text.of(
        "offered %.0f/s, achieved %.0f/s, p50 %.2f, p99 %.2f, p99.9 %.2f ms, sent late p99 %.2f ms,"
            + " fallbacks %d, wrong %d, unanswered %d",
        offered,
        achieved,
        millis(50),
        millis(99),
        millis(99.9),
        latenessMillis(),
        fallbacks,
        wrong,
        unanswered);
  }
}
