package io.tranche.cli.backtest;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.Progress;
import io.tranche.cli.console.Text;
import io.tranche.work.judge.TrainedRun;

/// Tries the first orders of a run, if there are many, and says how long all of them may take.
final class Estimate {

  private static final int MANY = 1_000;
  private static final int PROBE = 64;
  private static final int LONG_SECONDS = 20;

  private Estimate() {}

  /// @param verb for the message
  /// @param run with its weights
  static void tell(String verb, TrainedRun<?> run, Console console) {
    if (run.orders() < MANY || console.isQuiet()) {
      return;
    }
    double seconds = run.probeSeconds(PROBE) * run.orders() / PROBE;
    if (seconds >= LONG_SECONDS) {
      console.note(line(verb, seconds, run.orders()));
    }
  }

  static String line(String verb, double seconds, int orders) {
    return Text.of(
        "%s: about %.0f s for %d orders, at least %d MB of memory (an estimate from %d orders)",
        verb, seconds, orders, Progress.peakMegabytes(), PROBE);
  }
}
