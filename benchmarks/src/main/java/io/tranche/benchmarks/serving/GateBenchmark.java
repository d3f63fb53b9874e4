package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/// The service with every kind of limit beside one without any, in turns, under the same requests.
public final class GateBenchmark {

  private static final int INSTRUMENTS = 256;

  /// How many requests are under way: enough to keep two processors busy, and fewer than
  /// instruments, so that no request overtakes the one before it of its instrument.
  private static final int UNDER_WAY = 200;

  private static final int ROUNDS = 6;

  /// Every limit, so wide that none binds: only the checks cost. Lots are a power of two, of which
  /// all volumes are multiples.
  private static final List<String> LIMITS =
      List.of(
          "order_amount=1e9",
          "order_value=1e15",
          "duplicates=1e9",
          "crossing=1e9",
          "messages_per_second=1e9",
          "executions=1e12",
          "bar_age_seconds=1e9",
          "slice=1e9",
          "slice_share=1",
          "child_value=1e15",
          "participation=1",
          "participation_bars=30",
          "participation_day=1",
          "band_bps=5000",
          "collar_bps=5000",
          "net_value=1e18",
          "gross_value=1e18",
          "lot=9.5367431640625e-7",
          "tick=0.01");

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "gate",
          "What does the whole risk check cost the service?",
          """
          gate.requests_per_s gate.off.requests_per_s gate.rate_ratio gate.cpu gate.cpu_ratio
          gate.p50 gate.p50_ratio gate.p99 gate.p99_ratio
          """,
          GateBenchmark::run);

  private GateBenchmark() {}

  /// What a window showed.
  private record Seen(double rate, double cpuMicros, double p50, double p99) {}

  private static List<Figure> run(Options options) throws IOException {
    var model = new ServedBundle(options.work());
    var with = new ArrayList<Seen>();
    var without = new ArrayList<Seen>();
    try (LoadedServer on = server(options, model, true);
        LoadedServer off = server(options, model, false)) {
      // Both are equally warm, and take the first turn equally often.
      double rate = 0.5 * Math.min(achieved(options, on), achieved(options, off));
      for (int i = 0; i < options.count(ROUNDS, 1); i++) {
        boolean isOnFirst = i % 2 == 0;
        Seen first = seen(options, isOnFirst ? on : off, rate);
        Seen second = seen(options, isOnFirst ? off : on, rate);
        with.add(isOnFirst ? first : second);
        without.add(isOnFirst ? second : first);
        options.printf("gate: on %s%ngate: off %s%n", with.getLast(), without.getLast());
      }
    }
    var figures = new ArrayList<Figure>();
    figures.add(new Figure("gate.requests_per_s", median(with, Seen::rate), "requests/s"));
    figures.add(new Figure("gate.off.requests_per_s", median(without, Seen::rate), "requests/s"));
    figures.add(new Figure("gate.rate_ratio", ratio(with, without, Seen::rate), "x"));
    figures.add(new Figure("gate.cpu", median(with, Seen::cpuMicros), "us"));
    figures.add(new Figure("gate.cpu_ratio", ratio(with, without, Seen::cpuMicros), "x"));
    figures.add(new Figure("gate.p50", median(with, Seen::p50), "ms"));
    figures.add(new Figure("gate.p50_ratio", ratio(with, without, Seen::p50), "x"));
    figures.add(new Figure("gate.p99", median(with, Seen::p99), "ms"));
    figures.add(new Figure("gate.p99_ratio", ratio(with, without, Seen::p99), "x"));
    return figures;
  }

  private static double achieved(Options options, LoadedServer server) throws IOException {
    LoadResult result = server.inTurn(options.count(200_000, 200), options.count(UNDER_WAY, 3));
    require(result);
    return result.achieved();
  }

  /// Returns the configuration of a service that checks everything.
  static List<String> settings() {
    return LIMITS.stream().map(each -> "engine.limits." + each).toList();
  }

  private static LoadedServer server(Options options, ServedBundle model, boolean isGated)
      throws IOException {
    List<String> settings = isGated ? settings() : List.of("engine.limits=none");
    var journal = Files.createTempDirectory(options.work(), "journal");
    var process =
        ServerProcess.start(options, ServerProcess.command(options, model, journal, settings));
    var script =
        new DeskScript(
            new DeskDay(model, true), DeskScript.Form.COMPACT, options.count(INSTRUMENTS, 4), 0);
    String name = isGated ? "all limits" : "no limits";
    var server = new LoadedServer(options, name, List.of(process), script, 0);
    require(server.inTurn(options.count(300_000, 100), options.count(UNDER_WAY, 3)));
    return server;
  }

  /// Sends requests as fast as they are answered, then at a rate that leaves room.
  private static Seen seen(Options options, LoadedServer server, double rate) throws IOException {
    int count = options.count(300_000, 200);
    double before = server.cpuSeconds();
    LoadResult fast = server.inTurn(count, options.count(UNDER_WAY, 3));
    require(fast);
    double cpu = Math.max(0.01, server.cpuSeconds() - before);
    LoadResult even = server.at(rate, options.quick() ? 0.2 : 3);
    require(even);
    return new Seen(fast.achieved(), 1e6 * cpu / count, even.millis(50), even.millis(99));
  }

  private static void require(LoadResult result) {
    if (result.wrong() > 0) {
      throw new IllegalStateException("answers must be those of the runtime, was: " + result);
    }
  }

  @FunctionalInterface
  private interface Part {
    double of(Seen seen);
  }

  private static double median(List<Seen> seen, Part part) {
    return Timing.median(seen.stream().mapToDouble(part::of).toArray());
  }

  /// Returns the median of the ratios of neighbours in time.
  private static double ratio(List<Seen> with, List<Seen> without, Part part) {
    double[] ratios = new double[with.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = part.of(with.get(i)) / part.of(without.get(i));
    }
    return Timing.median(ratios);
  }
}
