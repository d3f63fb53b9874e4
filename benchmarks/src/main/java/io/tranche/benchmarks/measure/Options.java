package io.tranche.benchmarks.measure;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// How to run a benchmark.
///
/// @param quick seconds instead of minutes: proves that it still runs; its figures mean nothing
/// @param peers run the Python peer on the same data too
/// @param home the project's folder
/// @param work an empty folder for generated data, deleted afterwards
/// @param log where progress goes
public record Options(boolean quick, boolean peers, Path home, Path work, PrintStream log) {

  /// Returns `full`, or `reduced` in a quick run.
  public int count(int full, int reduced) {
    return quick ? reduced : full;
  }

  /// Deletes a folder and everything below it.
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
