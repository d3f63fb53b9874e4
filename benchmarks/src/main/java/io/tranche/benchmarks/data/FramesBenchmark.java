package io.tranche.benchmarks.data;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Micro;
import io.tranche.benchmarks.measure.Options;
import java.io.IOException;
import java.util.List;

/// Looks up day frames and features that are in memory.
public final class FramesBenchmark implements Benchmark {

  private static final String FRAME = "frames.lookup.ns";
  private static final String FEATURES = "frames.features.ns";

  @Override
  public String name() {
    return "frames";
  }

  @Override
  public String question() {
    return "How long does a warm lookup of an instrument's day take, of its bars and its features?";
  }

  @Override
  public List<String> figures() {
    return List.of(FRAME, FEATURES);
  }

  @Override
  public List<Figure> run(Options options) throws IOException {
    return List.of(
        new Figure(FRAME, Micro.score(options, DayLookup.class, "bars"), "ns"),
        new Figure(FEATURES, Micro.score(options, DayLookup.class, "features"), "ns"));
  }
}
