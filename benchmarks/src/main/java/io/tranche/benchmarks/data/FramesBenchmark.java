package io.tranche.benchmarks.data;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Micro;
import io.tranche.benchmarks.measure.Options;
import io.tranche.market.BarSource;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.feature.provider.RealisedVolatility;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// Looks up day frames and features that are in memory.
public final class FramesBenchmark {

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "frames",
          "How long does a warm lookup of an instrument's day take, of its bars and its features?",
          "frames.lookup.ns frames.features.ns",
          FramesBenchmark::run);

  private FramesBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    return List.of(
        new Figure("frames.lookup.ns", Micro.nanos(options, DayLookup.class, "bars", 1), "ns"),
        new Figure(
            "frames.features.ns", Micro.nanos(options, DayLookup.class, "features", 1), "ns"));
  }

  /// Answers one question: how long does it take to find the bars, or the features, of an order's
  /// instrument and day once they are in memory?
  @State(Scope.Thread)
  public static class DayLookup {

    private static final int INSTRUMENTS =
        40; // a training run of Qlib's example: 40 stocks, 80 days
    private static final int DAYS = 80;
    private static final int KEYS = 1 << 12; // in no order, as shuffled orders ask

    private final BarSource bars =
        new CachedBars(Generated.bars(INSTRUMENTS, DAYS, Frequency.ofMinutes(5)), INSTRUMENTS);
    private final FeatureSource features =
        ComputedFeatures.of(bars, List.of(new RealisedVolatility()), 0, INSTRUMENTS * DAYS);
    private final String[] instruments = new String[KEYS];
    private final LocalDate[] dates = new LocalDate[KEYS];
    private int next;

    @Setup
    public void fill() {
      for (String instrument : bars.instruments()) {
        bars.series(instrument);
        for (int day = 0; day < DAYS; day++) {
          features.day(instrument, bars.calendar().date(day));
        }
      }
      var random = new SplittableRandom(1);
      for (int i = 0; i < KEYS; i++) {
        instruments[i] = bars.instruments().get(random.nextInt(INSTRUMENTS));
        dates[i] = bars.calendar().date(random.nextInt(DAYS));
      }
    }

    @org.openjdk.jmh.annotations.Benchmark
    public @Nullable DayFrame bars() {
      next = (next + 1) & (KEYS - 1);
      return bars.day(instruments[next], dates[next]);
    }

    @org.openjdk.jmh.annotations.Benchmark
    public DayFeatures features() {
      next = (next + 1) & (KEYS - 1);
      return features.day(instruments[next], dates[next]);
    }
  }
}
