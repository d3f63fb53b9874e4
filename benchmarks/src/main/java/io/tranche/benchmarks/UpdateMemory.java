package io.tranche.benchmarks;

import io.tranche.market.Frequency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What a process that does nothing but learn has in memory at most.
final class UpdateMemory {

  private static final int MINIBATCHES = 40;

  private UpdateMemory() {}

<<<<<<< HEAD
  /// Makes the market, its features and the experience, and learns.
=======
  /// Makes the market, its features and the experience, learns, and prints the largest resident set
  /// of this process so far, in MB.
>>>>>>> e08de5e25e2f8c99b272bba9f585f7515c3ec8e5
  public static void main(String[] arguments) throws IOException {
    Experience experience = UpdateBenchmark.minibatch(Path.of(arguments[0]), Frequency.MINUTE);
    try (var learner = new Learner(experience, 1)) {
      for (int i = 0; i < MINIBATCHES; i++) {
        learner.learn();
      }
    }
<<<<<<< HEAD
    System.out.println(PeakMemory.kilobytes());
  }

=======
    System.out.println(ResidentSet.peakMegabytes(ProcessHandle.current().pid()));
  }

  /// Returns the megabytes of such a process; 0, with a message, where there is no [#STATUS].
>>>>>>> e08de5e25e2f8c99b272bba9f585f7515c3ec8e5
  static double megabytes(Options options) throws IOException {
    Path folder = Files.createDirectory(options.work().resolve("memory"));
<<<<<<< HEAD
    return PeakMemory.megabytes(options, UpdateMemory.class, folder.toString());
=======
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
>>>>>>> e08de5e25e2f8c99b272bba9f585f7515c3ec8e5
  }
}
