package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.benchmarks.measure.Timing;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The decision service under open load, compared with the same network behind FastAPI and torch.
///
/// Besides its figures it leaves a table and a picture of all curves in `target/serve`.
public final class ServeBenchmark {

  private static final String DESK = "serve.desk";
  private static final String JSON = "serve.desk_json";
  private static final String PREDICT = "serve.predict";

  /// How many instruments take turns: enough that a request that depends on an answer comes long
  /// after it.
  private static final int INSTRUMENTS = 256;

  private static final int PEER_INSTRUMENTS = 32;

  /// How many windows a percentile is the median of.
  private static final int WINDOWS = 3;

  private static final OperatingSystemMXBean SYSTEM = ManagementFactory.getOperatingSystemMXBean();

  private static final int MOST_PROCESSES = 2;
  private static final double FACTOR = 1.5;
  private static final int HALVINGS = 2;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "serve",
          "How many requests per second does the service answer in time, and how fast?",
          """
          serve.desk.requests_per_s serve.desk.p50 serve.desk.p99 serve.desk.cpu
          serve.desk.late.p99 serve.desk.decisions_per_s
          serve.desk_json.requests_per_s serve.desk_json.p50 serve.desk_json.p99 serve.desk_json.cpu
          serve.predict.requests_per_s serve.predict.p50 serve.predict.p99 serve.predict.cpu
          serve.predict.cache_hits
          """,
          options -> new Run(options).figures());

  private ServeBenchmark() {}

  /// The capacity of a server.
  ///
  /// @param cpuMicros its CPU time per request at saturation
  private record Able(SaturationCurve curve, double cpuMicros) {

    LoadResult saturation() {
      return curve.saturation();
    }
  }

  /// The peer at its best.
  ///
  /// @param p99 from schedule at its saturation, in milliseconds
  private record Best(Able able, double p99) {}

  private static final class Run {
    private final Options options;
    private final ServedBundle model;
    private final @Nullable Peer peer;
    private final double seconds;
    private final Map<String, SaturationCurve> curves = new LinkedHashMap<>();
    private final List<Figure> figures = new ArrayList<>();

    /// How many decisions per second we take as the day goes.
    private double decisions;

    Run(Options options) throws IOException {
      this.options = options;
      this.model = new ServedBundle(options.work());
      this.peer = Peer.prepare(options, "qlib-serve");
      this.seconds = options.quick() ? 0.2 : 3;
    }

    List<Figure> figures() throws IOException {
      desk();
      try (LoadedServer ours = ours("ours, desk, JSON", DeskScript.Form.JSON)) {
        add(JSON, measure(ours, options.count(2_000, 200)));
      }
      predict();
      Path folder =
          options.quick() ? options.work() : options.home().resolve("benchmarks/target/serve");
      Files.createDirectories(folder);
      Files.writeString(folder.resolve("curves.md"), ServePicture.table(curves));
      Files.writeString(folder.resolve("curves.svg"), ServePicture.draw(curves));
      return figures;
    }

    private DeskScript script(DeskScript.Form form, int instruments) {
      return new DeskScript(new DeskDay(model, false), form, instruments, 0);
    }

    /// Ours in the compact form, and at the rate at which the peer is saturated.
    private void desk() throws IOException {
      DeskScript script = script(DeskScript.Form.JSON, PEER_INSTRUMENTS);
      Best theirs = peers("desk", 0, script, 500);
      try (LoadedServer ours = ours("ours, desk, compact", DeskScript.Form.COMPACT)) {
        double p99 = theirs == null ? 0 : p99(ours, theirs.able().saturation().offered());
        Able able = measure(ours, options.count(2_000, 200));
        add(DESK, able);
        figures.add(new Figure(DESK + ".late.p99", able.saturation().latenessMillis(), "ms"));
        decisions = able.saturation().achieved() * script.decisionShare();
        figures.add(new Figure(DESK + ".decisions_per_s", decisions, "decisions/s"));
        if (theirs != null) {
          compare(DESK, able, theirs.able());
          figures.add(new Figure(DESK + ".at_peers_rate.p99", p99, "ms"));
          figures.add(new Figure(DESK + ".at_peers_rate.peer.p99", theirs.p99(), "ms"));
          figures.add(new Figure(DESK + ".at_peers_rate.p99_ratio", theirs.p99() / p99, "x"));
        }
      }
    }

    private void predict() throws IOException {
      var script = new ObservationScript(model);
      options.printf("a request with an observation has %.0f bytes%n", script.meanBytes());
      Best plain = peers("predict", 0, script, 50);
      Best batched = peers("predict in batches", 1, script, 50);
      try (var ours =
          new LoadedServer(
              options,
              "ours, predict",
              List.of(ServerProcess.ours(options, model)),
              script,
              options.count(10_000, 20))) {
        Able able = measure(ours, options.count(200, 20));
        add(PREDICT, able);
        double hits = ours.servers().getFirst().metric("tranche_predict_cache_hits_total");
        figures.add(new Figure(PREDICT + ".cache_hits", hits, "hits"));
        if (plain != null && batched != null) {
          compare(PREDICT, able, plain.able());
          double theirs = plain.able().saturation().achieved();
          figures.add(new Figure(DESK + ".decisions.ratio", decisions / theirs, "x"));
          compare(PREDICT + ".batched", able, batched.able());
        }
      }
    }

    private LoadedServer ours(String name, DeskScript.Form form) throws IOException {
      return new LoadedServer(
          options,
          name,
          List.of(ServerProcess.ours(options, model)),
          script(form, options.count(INSTRUMENTS, 4)),
          options.count(100_000, 100));
    }

    private Able measure(LoadedServer server, double from) throws IOException {
      SaturationCurve curve =
          options.quick()
              ? once(server.at(from, seconds))
              : SaturationCurve.find(rate -> server.at(rate, seconds), from, FACTOR, HALVINGS);
      curves.put(server.name(), curve);
      double cpuMicros = server.cpuMicros(curve.saturation().offered(), seconds);
      options.printf(
          "%s: %.1f us of CPU per request; load average %.1f%n",
          server.name(), cpuMicros, SYSTEM.getSystemLoadAverage());
      return new Able(curve, cpuMicros);
    }

    private static SaturationCurve once(LoadResult result) {
      return new SaturationCurve(List.of(result), result);
    }

    /// Returns the peer with its best number of processes; null without peers.
    private @Nullable Best peers(String kind, int batched, Requests requests, double from)
        throws IOException {
      if (peer == null) {
        return null;
      }
      Best best = null;
      for (int processes = 1; processes <= MOST_PROCESSES; processes++) {
        var servers = new ArrayList<ServerProcess>();
        for (int i = 0; i < processes; i++) {
          servers.add(
              ServerProcess.start(options, peer.command("serve.py", model.weights, batched)));
        }
        String name =
            "peer, %s, %d %s".formatted(kind, processes, processes == 1 ? "process" : "processes");
        try (var server =
            new LoadedServer(options, name, servers, requests, options.count(500, 20))) {
          Able able = measure(server, from);
          double rate = able.saturation().offered();
          if (best == null || rate > best.able().saturation().offered()) {
            best = new Best(able, p99(server, rate));
          }
        }
      }
      return best;
    }

    /// Returns the median of the 99th percentiles of a few windows.
    private double p99(LoadedServer server, double rate) throws IOException {
      double[] millis = new double[WINDOWS];
      for (int i = 0; i < WINDOWS; i++) {
        millis[i] = server.at(rate, seconds).millis(99);
      }
      return Timing.median(millis);
    }

    private void add(String prefix, Able able) {
      LoadResult saturation = able.saturation();
      figures.add(new Figure(prefix + ".requests_per_s", saturation.achieved(), "requests/s"));
      figures.add(new Figure(prefix + ".p50", saturation.millis(50), "ms"));
      figures.add(new Figure(prefix + ".p99", saturation.millis(99), "ms"));
      figures.add(new Figure(prefix + ".cpu", able.cpuMicros(), "us"));
    }

    private void compare(String prefix, Able ours, Able peers) {
      double theirs = peers.saturation().achieved();
      figures.add(new Figure(prefix + ".peer.requests_per_s", theirs, "requests/s"));
      figures.add(new Figure(prefix + ".peer.cpu", peers.cpuMicros(), "us"));
      figures.add(new Figure(prefix + ".ratio", ours.saturation().achieved() / theirs, "x"));
      figures.add(new Figure(prefix + ".ratio.cpu", peers.cpuMicros() / ours.cpuMicros(), "x"));
    }
  }
}
