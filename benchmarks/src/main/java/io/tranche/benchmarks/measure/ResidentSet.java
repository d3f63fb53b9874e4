package io.tranche.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// What a process holds, as Linux counts it.
public final class ResidentSet {

  private ResidentSet() {}

  /// Returns the most that the process had so far; 0 where there is no `/proc`, or the process is
  /// over.
  public static double peakMegabytes(long pid) throws IOException {
    return number(pid, "VmHWM:") / 1024.0;
  }

  /// Returns what the process has now; 0 as above.
  public static double megabytes(long pid) throws IOException {
    return number(pid, "VmRSS:") / 1024.0;
  }

  /// Returns how many threads the process has; 0 as above.
  public static int threads(long pid) throws IOException {
    return (int) number(pid, "Threads:");
  }

  /// Returns how many files and sockets the process has open; 0 as above.
  public static int handles(long pid) throws IOException {
    Path open = Path.of("/proc", Long.toString(pid), "fd");
    if (!Files.exists(open)) {
      return 0;
    }
    try (Stream<Path> each = Files.list(open)) {
      return (int) each.count();
    }
  }

  private static long number(long pid, String name) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    if (!Files.exists(status)) {
      return 0;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    return 0;
  }
}
