package io.tranche.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The peak memory of a process of its own, one per question.
///
/// Java takes as much heap as it may before it collects garbage, by default a quarter of the
/// machine, so what it needs shows only under a limit.
public final class PeakMemory {

  private static final Path STATUS = Path.of("/proc/self/status");

  private PeakMemory() {}

  /// Returns the largest resident set of this process so far, in kB.
  public static long kilobytes() throws IOException {
    return Math.round(1024 * ResidentSet.peakMegabytes(ProcessHandle.current().pid()));
  }

  /// Returns the megabytes of a process with 128 MB of heap whose `main` prints [#kilobytes] when
  /// it is done; 0, with a message, where there is no [#STATUS].
  public static double megabytes(Options options, Class<?> main, String... arguments)
      throws IOException {
    if (!Files.exists(STATUS)) {
      options.printf("memory skipped: no %s%n", STATUS);
      return 0;
    }
    List<String> command = options.java("-XX:+UseSerialGC", "-Xmx128m");
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
}
