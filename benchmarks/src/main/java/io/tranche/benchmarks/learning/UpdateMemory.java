package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.PeakMemory;
import io.tranche.market.Frequency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The peak memory of a process that only learns.
final class UpdateMemory {

  private static final int MINIBATCHES = 40;

  private UpdateMemory() {}

  /// Makes the market, its features and the experience, and learns.
  public static void main(String[] arguments) throws IOException {
    Experience experience = UpdateBenchmark.minibatch(Path.of(arguments[0]), Frequency.MINUTE);
    try (var learner = new Learner(experience, 1)) {
      for (int i = 0; i < MINIBATCHES; i++) {
        learner.learn();
      }
    }
    System.out.println(PeakMemory.kilobytes());
  }

  static double megabytes(Options options) throws IOException {
    Path folder = Files.createDirectory(options.work().resolve("memory"));
    return PeakMemory.megabytes(options, UpdateMemory.class, folder.toString());
  }
}
