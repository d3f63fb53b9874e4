package io.tranche.benchmarks.data;

import io.tranche.benchmarks.measure.Generated;
import io.tranche.market.BarSource;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.feature.provider.RealisedVolatility;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Answers one question: how long does it take to find the bars, or the features, of an order's
/// instrument and day once they are in memory?
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class DayLookup {

  private static final int INSTRUMENTS = 40; // a training run of Qlib's example: 40 stocks, 80 days
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

  @Benchmark
  public @Nullable DayFrame bars() {
    next = (next + 1) & (KEYS - 1);
    return bars.day(instruments[next], dates[next]);
  }

  @Benchmark
  public DayFeatures features() {
    next = (next + 1) & (KEYS - 1);
    return features.day(instruments[next], dates[next]);
  }
}
