package io.tranche.benchmarks;

import io.tranche.market.Frequency;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What a process that does nothing but learn has in memory at most: a process of its own.
///
/// Java takes as much heap as it may before it collects garbage, by default a quarter of the
/// machine, so what it needs shows only under a limit.
final class UpdateMemory {

  private static final int MINIBATCHES = 40;
  private static final Path STATUS = Path.of("/proc/self/status");

  private UpdateMemory() {}

  /// Makes the market, its features and the experience, learns, and prints the largest resident set
  /// of this process so far, in MB.
  public static void main(String[] arguments) throws IOException {
    Experience experience = UpdateBenchmark.minibatch(Path.of(arguments[0]), Frequency.MINUTE);
    try (var learner = new Learner(experience, 1)) {
      for (int i = 0; i < MINIBATCHES; i++) {
        learner.learn();
      }
    }
    System.out.println(ResidentSet.peakMegabytes(ProcessHandle.current().pid()));
  }

  /// Returns the megabytes of such a process; 0, with a message, where there is no [#STATUS].
  static double megabytes(Options options) throws IOException {
    if (!Files.exists(STATUS)) {
      options.log().printf("memory skipped: no %s%n", STATUS);
      return 0;
    }
    Path folder = Files.createDirectory(options.work().resolve("memory"));
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-modules=jdk.incubator.vector",
            "-XX:+UseSerialGC",
            "-Xmx128m",
            "--class-path",
            System.getProperty("java.class.path"),
            UpdateMemory.class.getName(),
            folder.toString());
    Path errors = options.work().resolve("memory.log");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String answer =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (!answer.matches("[0-9.]+")) {
      options.log().println(Files.readString(errors));
      throw new IOException("a process that learns must print its memory, was '" + answer + "'");
    }
    return Double.parseDouble(answer);
  }
}
