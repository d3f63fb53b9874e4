package io.tranche.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The memory of a process, as Linux counts it.
final class ResidentSet {

  private ResidentSet() {}

  /// Returns the most that the process had so far; 0 where there is no `/proc`, or the process is
  /// over.
  static double peakMegabytes(long pid) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    if (!Files.exists(status)) {
      return 0;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
      }
    }
    return 0;
  }
}
