package io.tranche.benchmarks.measure;

import java.io.IOException;
import java.util.List;

/// One question about speed or memory, and the run that answers it with figures.
///
/// @param name the word users type
/// @param figures the names of the figures that a run without peers reports
/// @param isLong whether it takes more than some minutes, so that it is run only by its own name
public record Benchmark(
    String name, String question, List<String> figures, boolean isLong, Measurement measurement) {

  /// Measures, and writes its progress to the log of `options`.
  @FunctionalInterface
  public interface Measurement {

    List<Figure> run(Options options) throws IOException;
  }

  public Benchmark {
    figures = List.copyOf(figures);
  }

  /// @param figures with white space between their names
  public Benchmark(String name, String question, String figures, Measurement measurement) {
    this(name, question, List.of(figures.strip().split("\\s+", -1)), false, measurement);
  }

  /// Returns this benchmark, to be run only by its own name.
  public Benchmark asLong() {
    return new Benchmark(name, question, figures, true, measurement);
  }
}
