package io.tranche.benchmarks.measure;

import java.io.IOException;
import java.util.List;

/// One question about speed or memory, and the run that answers it with figures.
public interface Benchmark {

  /// Returns the word users type.
  String name();

  String question();

  /// Returns the names of the figures that a run without peers reports.
  List<String> figures();

  /// Whether it takes more than some minutes, so that it is run only by its own name.
  default boolean isLong() {
    return false;
  }

  /// Measures, telling how it goes in the log of `options`.
  List<Figure> run(Options options) throws IOException;
}
