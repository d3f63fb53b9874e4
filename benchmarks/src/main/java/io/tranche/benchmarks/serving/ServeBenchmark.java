package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Machine;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.benchmarks.measure.Row;
import io.tranche.benchmarks.measure.SideBySide;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.benchmarks.measure.Turn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The decision service under load: how fast it answers the same requests as the same network
/// behind FastAPI, and how it does by itself at rising rates.
///
/// The service makes every change durable before it answers, FastAPI keeps its state in memory
/// alone. Both get the same JSON, from a generator on the same two cores, and every answer must be
/// that of our runtime.
public final class ServeBenchmark {

  /// How many requests a server gets before anything is measured.
  private static final int WARM_UP = 100_000;

  private static final int WARM_UP_OBSERVATIONS = 10_000;

  /// How many instruments take turns: enough that a request that depends on an answer comes long
  /// after it.
  private static final int INSTRUMENTS = 256;

  /// How many requests wait for their answers where sides are compared.
  private static final int UNDER_WAY = 200;

  /// Requests per second of a busy desk.
  private static final int BUSY = 20_000;

  /// How many windows a percentile is the median of.
  private static final int WINDOWS = 3;

  private static final int CORES = 2;
  private static final double FACTOR = 1.5;
  private static final int HALVINGS = 2;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "serve",
          "How many requests per second does the service answer in time, and how fast?",
          """
          serve.requests.wall serve.requests.cpu serve.observations.wall serve.observations.cpu
          serve.desk.requests_per_s serve.desk.p50 serve.desk.p99 serve.desk.cpu
          serve.desk.late.p99 serve.desk.busy.p99 serve.desk.decisions_per_s
          serve.desk_json.requests_per_s serve.desk_json.p50 serve.desk_json.p99 serve.desk_json.cpu
          serve.desk_json.busy.p99
          serve.predict.requests_per_s serve.predict.p50 serve.predict.p99 serve.predict.cpu
          serve.predict.cache_hits
          serve.desk.saturation serve.desk_json.saturation serve.predict.saturation
          serve.observations_20.p50 serve.observations_20.p99
          serve.requests_200.compact.p50 serve.requests_200.compact.p99
          serve.requests_200.json.p50 serve.requests_200.json.p99
          """,
          options -> new Run(options).figures());

  /// The peer answers however late it is. At full load a pause can be longer than our usual
  /// deadline, and then we would answer TWAP instead of the model.
  private static final String NO_DEADLINE = "engine.deadline_micros=30000000";

  private ServeBenchmark() {}

  private static final class Run {
    private final Options options;
    private final ServedBundle model;
    private final @Nullable Peer peer;
    private final double seconds;
    private final Map<OfferedLoad, SaturationCurve> curves = new EnumMap<>(OfferedLoad.class);
    private final List<Figure> figures = new ArrayList<>();

    Run(Options options) throws IOException {
      this.options = options;
      this.model = new ServedBundle(options.work());
      this.peer = Peer.prepare(options, "qlib-serve");
      this.seconds = options.quick() ? 0.2 : 3;
    }

    List<Figure> figures() throws IOException {
      compareDesk();
      compareObservations();
      OfferedLoad compact = OfferedLoad.COMPACT;
      try (LoadedServer ours = desk(compact.server(), DeskScript.Form.COMPACT)) {
        LoadResult saturation = measure(compact, ours, options.count(2_000, 200));
        add(compact, "late.p99", saturation.latenessMillis(), "ms");
        add(compact, "busy.p99", p99(ours), "ms");
        double decisions = saturation.achieved() * script(DeskScript.Form.JSON, 1).decisionShare();
        add(compact, "decisions_per_s", decisions, "decisions/s");
      }
      OfferedLoad json = OfferedLoad.JSON;
      try (LoadedServer ours = desk(json.server(), DeskScript.Form.JSON)) {
        measure(json, ours, options.count(2_000, 200));
        add(json, "busy.p99", p99(ours), "ms");
      }
      OfferedLoad predict = OfferedLoad.PREDICT;
      try (LoadedServer ours = observations()) {
        measure(predict, ours, options.count(200, 20));
        double hits = ours.servers().getFirst().metric("tranche_predict_cache_hits_total");
        add(predict, "cache_hits", hits, "hits");
      }
      figures.addAll(OfferedLoad.figures(curves));
      return figures;
    }

    private DeskScript script(DeskScript.Form form, int instruments) {
      return new DeskScript(new DeskDay(model, false), form, instruments, 0);
    }

    private int instruments() {
      return options.count(INSTRUMENTS, 32);
    }

    private LoadedServer desk(String name, DeskScript.Form form, String... settings)
        throws IOException {
      return new LoadedServer(
          options,
          name,
          List.of(ServerProcess.ours(options, model, settings)),
          script(form, instruments()),
          options.count(WARM_UP, 100));
    }

    private LoadedServer observations(String... settings) throws IOException {
      return new LoadedServer(
          options,
          OfferedLoad.PREDICT.server(),
          List.of(ServerProcess.ours(options, model, settings)),
          new ObservationScript(model),
          options.count(WARM_UP_OBSERVATIONS, 20));
    }

    /// Returns a peer of one process per core, or of one.
    private LoadedServer peer(
        Peer python, String name, int processes, int batched, Requests asked, int warmUp)
        throws IOException {
      var servers = new ArrayList<ServerProcess>();
      for (int i = 0; i < processes; i++) {
        servers.add(
            ServerProcess.start(options, python.command("serve.py", model.weights, batched)));
      }
      return new LoadedServer(options, name, servers, asked, options.count(warmUp, 20));
    }

    private void compareDesk() throws IOException {
      int requests = options.count(40_000, 100);
      int underWay = options.count(UNDER_WAY, 12);
      try (var servers = new Servers();
          LoadedServer ours = desk("ours, JSON", DeskScript.Form.JSON, NO_DEADLINE)) {
        SideBySide comparison =
            SideBySide.ofProcesses(
                    options,
                    "serve.requests",
                    "40,000 requests of a desk in JSON, 200 under way; ours on disk first",
                    () -> turn(ours, requests, underWay))
                .onThreads(CORES);
        for (int count = 1; peer != null && count <= options.count(CORES, 1); count++) {
          DeskScript script = script(DeskScript.Form.JSON, instruments());
          LoadedServer theirs =
              servers.add(peer(peer, "FastAPI x " + count, count, 0, script, WARM_UP));
          comparison.against(
              count == 1 ? Row.Form.USUAL : Row.Form.EXPERT,
              "FastAPI, state in memory, %d %s".formatted(count, processes(count)),
              () -> turn(theirs, requests, underWay));
        }
        figures.addAll(comparison.run(options.count(2, 0), options.count(10, 1)));
      }
    }

    private void compareObservations() throws IOException {
      int requests = options.count(1_000, 20);
      try (var servers = new Servers();
          LoadedServer ours = observations(NO_DEADLINE)) {
        SideBySide comparison =
            SideBySide.ofProcesses(
                    options,
                    "serve.observations",
                    "1,000 observations of Qlib's, 22 kB of JSON each",
                    () -> turn(ours, requests, options.count(64, 12)))
                .onThreads(CORES);
        for (int batched = 0; peer != null && batched <= 1; batched++) {
          var script = new ObservationScript(model);
          LoadedServer theirs =
              servers.add(
                  peer(
                      peer,
                      "FastAPI, batched " + batched,
                      options.count(CORES, 1),
                      batched,
                      script,
                      WARM_UP_OBSERVATIONS));
          comparison.against(
              batched == 0 ? Row.Form.USUAL : Row.Form.EXPERT,
              batched == 0 ? "FastAPI and torch, 2 processes" : "the same in batches",
              () -> turn(theirs, requests, options.count(64, 12)));
        }
        figures.addAll(comparison.run(options.count(2, 0), options.count(10, 1)));
      }
    }

    private static String processes(int count) {
      return count == 1 ? "process" : "processes";
    }

    /// Sends so many requests as fast as they are answered. All answers must be those of our
    /// runtime.
    private static Turn turn(LoadedServer server, int requests, int underWay) throws IOException {
      server.reconnect();
      double cpu = server.cpuSeconds();
      long start = System.nanoTime();
      LoadResult result = server.inTurn(requests, underWay);
      double wall = (System.nanoTime() - start) / 1e9;
      double spent = Math.max(LoadedServer.CPU_TICK_SECONDS, server.cpuSeconds() - cpu);
      return Turn.of(new Timing(wall, spent), (double) result.right(), requests);
    }

    private void add(OfferedLoad load, String name, double value, String unit) {
      figures.add(new Figure("%s.%s".formatted(load.prefix(), name), value, unit));
    }

    private LoadResult measure(OfferedLoad load, LoadedServer server, double from)
        throws IOException {
      SaturationCurve curve =
          options.quick()
              ? once(server.at(from, seconds))
              : SaturationCurve.find(rate -> server.at(rate, seconds), from, FACTOR, HALVINGS);
      curves.put(load, curve);
      LoadResult saturation = curve.saturation();
      double cpuMicros = server.cpuMicros(saturation.offered(), seconds);
      options.printf(
          "%s: %.1f us of CPU per request; load average %.1f%n",
          server.name(), cpuMicros, Machine.loadNow());
      add(load, "requests_per_s", saturation.achieved(), "requests/s");
      add(load, "p50", saturation.millis(50), "ms");
      add(load, "p99", saturation.millis(99), "ms");
      add(load, "cpu", cpuMicros, "us");
      return saturation;
    }

    private static SaturationCurve once(LoadResult result) {
      return new SaturationCurve(List.of(result), result);
    }

    /// Returns the median of the 99th percentiles of a few windows at the rate of a busy desk.
    private double p99(LoadedServer server) throws IOException {
      double[] millis = new double[WINDOWS];
      for (int i = 0; i < WINDOWS; i++) {
        millis[i] = server.at(options.count(BUSY, 200), seconds).millis(99);
      }
      return Timing.median(millis);
    }
  }

  /// Servers that are closed together.
  private static final class Servers implements AutoCloseable {
    private final List<LoadedServer> all = new ArrayList<>();

    LoadedServer add(LoadedServer server) {
      all.add(server);
      return server;
    }

    @Override
    public void close() throws IOException {
      for (LoadedServer each : all) {
        each.close();
      }
    }
  }
}
