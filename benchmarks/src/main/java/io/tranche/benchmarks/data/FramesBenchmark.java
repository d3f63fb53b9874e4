package io.tranche.benchmarks.data;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Micro;
import io.tranche.benchmarks.measure.Options;
import java.io.IOException;
import java.util.List;

/// Looks up day frames and features that are in memory.
public final class FramesBenchmark {

  private static final String FRAME = "frames.lookup.ns";
  private static final String FEATURES = "frames.features.ns";

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "frames",
          "How long does a warm lookup of an instrument's day take, of its bars and its features?",
          List.of(FRAME, FEATURES),
          FramesBenchmark::run);

  private FramesBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    return List.of(
        new Figure(FRAME, Micro.score(options, DayLookup.class, "bars"), "ns"),
        new Figure(FEATURES, Micro.score(options, DayLookup.class, "features"), "ns"));
  }
}
