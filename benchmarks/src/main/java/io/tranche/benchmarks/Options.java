package io.tranche.benchmarks;

import java.io.PrintStream;
import java.nio.file.Path;

/// How to run a benchmark.
///
/// @param quick seconds instead of minutes: proves that it still runs, its figures mean nothing
/// @param peers run the Python peer on the same data too
/// @param home the project's folder
/// @param work an empty folder for generated data, deleted afterwards
/// @param log where progress goes
record Options(boolean quick, boolean peers, Path home, Path work, PrintStream log) {

  /// Returns `full`, or `reduced` in a quick run.
  int count(int full, int reduced) {
    return quick ? reduced : full;
  }
}
