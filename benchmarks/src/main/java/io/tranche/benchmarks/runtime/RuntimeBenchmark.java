package io.tranche.benchmarks.runtime;

import com.sun.management.ThreadMXBean;
import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Micro;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.ResidentSet;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.env.RandomTree;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.BarSource;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Side;
import io.tranche.market.feature.provider.FeatureProvider;
import io.tranche.market.feature.provider.PriceMoves;
import io.tranche.market.feature.provider.ProvidedFeatures;
import io.tranche.market.feature.provider.RelativeVolume;
import io.tranche.market.feature.provider.TimeOfDay;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.network.LayersConfig;
import io.tranche.policy.network.LayersNetwork;
import io.tranche.policy.network.LiveNetwork;
import io.tranche.policy.weights.Precision;
import io.tranche.policy.weights.Quantiser;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LiveOrder;
import io.tranche.tensor.RnnType;
import io.tranche.tensor.layer.Layers;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.HdrHistogram.Histogram;

/// How long bars, decisions and orders take, one at a time, on one core.
public final class RuntimeBenchmark {

  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  /// Longer ones count as this long.
  private static final long LONGEST_NANOS = 1_000_000_000;

  private static final int STRETCHES = 5;
  private static final int ORDERS_A_DAY = 16;
  private static final int ORDERS_AN_INSTRUMENT = 10;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "runtime",
          "How long do a bar, a decision and the opening of an order take, and how much is allocated?",
          """
          runtime.bar.p50 runtime.bar.p99 runtime.decision.p50 runtime.decision.p99
          runtime.open_order.us runtime.features.bar.p50 runtime.features.bar.p99
          runtime.advance.ms runtime.bytes_per_decision runtime.session.kb
          runtime.lstm.p50 runtime.lstm.p99 runtime.lstm.int8.p50 runtime.lstm.int8.p99
          runtime.bar.mean runtime.decision.mean runtime.day.wall runtime.day.cpu
          runtime.day.int8.wall runtime.day.int8.cpu
          """,
          RuntimeBenchmark::run);

  private RuntimeBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    LiveModel model = LiveModel.given();
    if (!options.quick()) {
      model.loaded().warmUp();
    }
    var figures = new ArrayList<Figure>();
    Latencies latencies = stream(options, model);
    figures.addAll(percentiles("runtime.bar", latencies.bars));
    figures.addAll(percentiles("runtime.decision", latencies.decisions));
    figures.add(new Figure("runtime.open_order.us", latencies.orders.getMean() / 1e3, "us"));
    figures.addAll(percentiles("runtime.features.bar", featured(options)));
    figures.add(new Figure("runtime.advance.ms", advance(options, model), "ms"));
    figures.add(
        new Figure("runtime.bytes_per_decision", bytesPerDecision(options, model), "bytes"));
    figures.add(new Figure("runtime.session.kb", sessionKilobytes(options, model), "kB"));
    figures.addAll(percentiles("runtime.lstm", lstm(options, Precision.FLOAT32)));
    figures.addAll(percentiles("runtime.lstm.int8", lstm(options, Precision.INT8)));
    for (String each : List.of("bar", "decision")) {
      double nanos = Micro.nanos(options, LiveSteps.class, each, 2);
      figures.add(new Figure("runtime.%s.mean".formatted(each), nanos / 1e3, "us"));
    }
    figures.addAll(
        new RuntimeComparison(options, "runtime.day", model)
            .figures("one order's day live, 240 bars and 8 decisions"));
    figures.addAll(
        new RuntimeComparison(options, "runtime.day.int8", LiveModel.given(64, Precision.INT8))
            .figures("the same with weights in bytes; the peers have them as floats"));
    return figures;
  }

  private static List<Figure> percentiles(String prefix, Histogram nanos) {
    return List.of(
        new Figure(prefix + ".p50", nanos.getValueAtPercentile(50) / 1e3, "us"),
        new Figure(prefix + ".p99", nanos.getValueAtPercentile(99) / 1e3, "us"));
  }

  /// The time of each bar, decision and opening.
  private record Latencies(Histogram bars, Histogram decisions, Histogram orders) {

    static Latencies create() {
      return new Latencies(histogram(), histogram(), histogram());
    }
  }

  static Histogram histogram() {
    return new Histogram(LONGEST_NANOS, 3);
  }

  /// Records the nanoseconds since `start`.
  static void note(Histogram histogram, long start) {
    histogram.recordValue(Math.min(System.nanoTime() - start, LONGEST_NANOS));
  }

  /// Streams days, first some that are not counted.
  private static Latencies stream(Options options, LiveModel model) {
    var runtime = new DecisionRuntime(model.loaded());
    float[][] bars = model.drawBars();
    stream(options.count(1_000, 1), runtime, bars, Latencies.create());
    Latencies latencies = Latencies.create();
    stream(options.count(2_000, 1), runtime, bars, latencies);
    return latencies;
  }

  private static void stream(
      int days, DecisionRuntime runtime, float[][] bars, Latencies latencies) {
    for (int i = 0; i < days; i++) {
      LiveDay day = LiveModel.open(runtime, "A", List.of(), 0);
      for (int j = 0; j < ORDERS_A_DAY; j++) {
        long start = System.nanoTime();
        LiveModel.openOrder(day, j);
        note(latencies.orders, start);
      }
      for (int tick = 0; tick < LiveModel.TICKS; tick++) {
        for (int j = 0; j < ORDERS_A_DAY; j++) {
          LiveOrder order = runtime.orders().get(j);
          if (order.isDue()) {
            long start = System.nanoTime();
            order.decide();
            note(latencies.decisions, start);
            order.fill(order.working() / 2, 10);
          }
        }
        long start = System.nanoTime();
        day.bar(day.time(tick), bars[tick]);
        note(latencies.bars, start);
      }
      day.close();
    }
  }

  /// Streams bars of the embedded market whose features are computed from them.
  private static Histogram featured(Options options) {
    List<FeatureProvider> providers =
        List.of(new PriceMoves(), new RelativeVolume(), new TimeOfDay());
    var model = new LiveModel(new ProvidedFeatures(providers, 0));
    int earlierDays = model.spec().features().earlierDays();
    BarSource market = Generated.bars(1, earlierDays + 1, Frequency.MINUTE);
    String instrument = market.instruments().getFirst();
    var series = market.series(instrument);
    var earlier = new ArrayList<DayFrame>();
    for (int day = 0; day < earlierDays; day++) {
      earlier.add(Objects.requireNonNull(series.day(day)));
    }
    DayFrame last = Objects.requireNonNull(series.day(earlierDays));
    int[] fields = model.spec().features().fields().stream().mapToInt(last::fieldIndex).toArray();
    float[][] bars = new float[LiveModel.TICKS][fields.length];
    for (int tick = 0; tick < bars.length; tick++) {
      for (int i = 0; i < fields.length; i++) {
        bars[tick][i] = last.value(fields[i], tick);
      }
    }
    var runtime = new DecisionRuntime(model.loaded());
    Histogram histogram = histogram();
    int days = options.count(1_000, 1);
    for (int i = 0; i < 2 * days; i++) {
      if (i == days) {
        histogram.reset();
      }
      LiveDay day = runtime.openDay(instrument, last.date(), earlier);
      for (int tick = 0; tick < bars.length; tick++) {
        long start = System.nanoTime();
        day.bar(last.time(tick), bars[tick]);
        note(histogram, start);
      }
      day.close();
    }
    return histogram;
  }

  /// Streams days through an LSTM of two layers of 128: each tick is one inference, from five
  /// features to the probabilities of five choices.
  private static Histogram lstm(Options options, Precision precision) {
    var layers = LayersConfig.of(new Layers.Recurrence(RnnType.LSTM, 128, 2));
    ActorCritic<FullHistoryObservation> agent =
        ActorCritic.create(
            LayersNetwork.factory(layers, LiveModel.FEATURES),
            LiveModel.CHOICES,
            RandomTree.generator(1));
    agent.load("drawn", Quantiser.round(agent.weights().stateDict(), precision, _ -> 1));
    agent.weights().parts().forEach(part -> part.weights().pack()); // as a loaded bundle does
    LivePolicy policy = agent.newLivePolicy(1);
    float[][] bars = LiveModel.given().drawBars();
    float[] yesterday = new float[LiveModel.TICKS * LiveModel.FEATURES];
    Histogram histogram = histogram();
    int days = options.count(200, 1);
    for (int i = 0; i < 2 * days; i++) {
      if (i == days) {
        histogram.reset();
      }
      LiveNetwork.Day day = policy.newDay(yesterday, LiveModel.TICKS);
      LiveNetwork.Episode episode = policy.newEpisode(Side.BUY.code());
      for (float[] bar : bars) {
        long start = System.nanoTime();
        day.append(bar, 0);
        policy.put(0, day, episode, 1, 0);
        policy.evaluate(1);
        note(histogram, start);
      }
    }
    return histogram;
  }

  /// Returns the time of the minutes in which all of 10,000 orders over 1,000 instruments decide:
  /// bars, decisions and fills. Other minutes take a tenth of that.
  private static double advance(Options options, LiveModel model) {
    var runtime = new DecisionRuntime(model.loaded());
    float[][] bars = model.drawBars();
    int instruments = options.count(1_000, 10);
    int rounds = options.count(4, 1);
    var busy = new ArrayList<Double>();
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < instruments; i++) {
        LiveModel.open(runtime, "I" + i + "-", List.of(), ORDERS_AN_INSTRUMENT);
      }
      for (int tick = 0; tick < LiveModel.TICKS; tick++) {
        long start = System.nanoTime();
        int decided = runtime.decideAll(order -> order.fill(order.working() / 2, 10));
        for (int i = 0; i < instruments; i++) {
          LiveDay day = runtime.days().get(i);
          day.bar(day.time(tick), bars[tick]);
        }
        if (decided > 0 && 2 * round >= rounds - 1) {
          Generated.requireRows((long) instruments * ORDERS_AN_INSTRUMENT, decided);
          busy.add((System.nanoTime() - start) / 1e6);
        }
      }
      while (!runtime.days().isEmpty()) {
        runtime.days().getLast().close();
      }
    }
    return Timing.median(busy.stream().mapToDouble(each -> each).toArray());
  }

  /// Returns the bytes that bars, decisions and fills allocate over a million decisions: the least
  /// of a few stretches, because the compilers settle late, and deoptimised code allocates again.
  private static double bytesPerDecision(Options options, LiveModel model) {
    var runtime = new DecisionRuntime(model.loaded());
    float[][] bars = model.drawBars();
    int decisions = options.count(1_000_000, 100);
    long least = Long.MAX_VALUE;
    for (int i = 0; i < STRETCHES && least > 0; i++) {
      least = Math.min(least, allocated(decisions, runtime, bars));
    }
    return (double) least / decisions;
  }

  /// Returns the bytes that at least so many decisions allocate.
  private static long allocated(int decisions, DecisionRuntime runtime, float[][] bars) {
    long bytes = 0;
    int decided = 0;
    while (decided < decisions) {
      LiveDay day = LiveModel.open(runtime, "A", List.of(), 100);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int tick = 0; tick < LiveModel.TICKS; tick++) {
        decided += runtime.decideAll(order -> order.fill(order.working() / 2, 10));
        day.bar(day.time(tick), bars[tick]);
      }
      bytes += THREADS.getCurrentThreadAllocatedBytes() - before;
      day.close();
    }
    return bytes;
  }

  /// Returns the heap that an instrument with ten orders takes.
  private static double sessionKilobytes(Options options, LiveModel model) {
    var runtime = new DecisionRuntime(model.loaded());
    int instruments = options.count(2_000, 10);
    long before = ResidentSet.heapBytes();
    for (int i = 0; i < instruments; i++) {
      LiveModel.open(runtime, "I" + i + "-", List.of(), ORDERS_AN_INSTRUMENT);
    }
    long after = ResidentSet.heapBytes();
    Generated.requireRows(instruments, runtime.days().size());
    return (after - before) / 1024.0 / instruments;
  }
}
