package io.tranche.benchmarks.measure;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The memory, threads and files of a process, as Linux counts them.
///
/// Java uses as much heap as it may before it collects garbage, by default a quarter of the
/// machine, so its real need shows only under a limit.
public final class ResidentSet {

  private static final Path STATUS = Path.of("/proc/self/status");

  private ResidentSet() {}

  /// Returns the largest resident set so far; 0 if there is no `/proc`, or the process is over.
  public static double peakMegabytes(long pid) throws IOException {
    return number(pid, "VmHWM:") / 1024.0;
  }

  /// Returns the resident set now; 0 as above.
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

  /// Returns the largest resident set of this process so far, in kB.
  public static long ownPeakKilobytes() throws IOException {
    return number(ProcessHandle.current().pid(), "VmHWM:");
  }

  /// Returns the megabytes of a process with 128 MB of heap whose `main` prints [#ownPeakKilobytes]
  /// when it is done; 0, with a message, where there is no [#STATUS].
  public static double peakMegabytes(Options options, Class<?> main, String... arguments)
      throws IOException {
    if (!Files.exists(STATUS)) {
      options.printf("memory skipped: no %s%n", STATUS);
      return 0;
    }
    List<String> command = Options.java(false, "-XX:+UseSerialGC", "-Xmx128m");
    command.add(main.getName());
    command.addAll(List.of(arguments));
    Path errors = Files.createTempFile(options.work(), "memory", ".log");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String answer = process.inputReader().readAllAsString().strip();
    if (!answer.matches("[0-9]+")) {
      options.log().println(Files.readString(errors));
      throw new IOException(
          "%s must print its memory, was '%s'".formatted(main.getSimpleName(), answer));
    }
    return Long.parseLong(answer) / 1024.0;
  }

  /// Returns what of this process's heap is in use: the least after a few collections, since one
  /// can leave what the next one takes.
  public static long heapBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
