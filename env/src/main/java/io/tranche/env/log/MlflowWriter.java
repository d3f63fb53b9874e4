package io.tranche.env.log;

import io.tranche.env.log.MlflowClient.Metric;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Sends the mean of each metric over each collect to an MLflow server, against the number of
/// episodes. Qlib's `MLflowWriter` is empty.
///
/// The run is created at the end of the first collect and ended by [#close]. A failing server never
/// stops training: the failure is reported once, and the missed values are sent again after the
/// next collect.
public final class MlflowWriter implements EpisodeSink {

  /// The server and the run to write to.
  ///
  /// @param server such as `http://localhost:5000`
  /// @param experiment created if it does not exist
  /// @param params the settings of the run
  public record Target(URI server, String experiment, String run, Map<String, String> params) {

    public Target {
      params = Map.copyOf(params);
      boolean isHttp = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
      if (!isHttp || server.getHost() == null) {
        throw new IllegalArgumentException("server must be an http address, was " + server);
      }
    }
  }

  /// MLflow's limits per request.
  private static final int MAX_METRICS = 1_000;

  private static final int MAX_PARAMS = 100;
  private static final int MAX_KEY = 250;

  /// Maximum number of points kept while the server fails.
  private static final int MAX_PENDING = 100_000;

  private final Target target;
  private final InstantSource clock;
  private final Consumer<String> report;
  private final MlflowClient client;
  private final MetricMeans means = new MetricMeans();
  private final Deque<Metric> pending = new ArrayDeque<>();
  private final Map<String, String> pendingParams = new LinkedHashMap<>();
  private @Nullable String run;
  private long lost;
  private boolean hasFailed;

  /// @param clock for the times of metrics
  /// @param report receives a line when the server fails, and one at the end that counts lost
  ///   values
  public MlflowWriter(Target target, InstantSource clock, Consumer<String> report) {
    this.target = target;
    this.clock = clock;
    this.report = report;
    this.client = new MlflowClient(target.server());
    target.params().forEach((name, value) -> pendingParams.put(key(name), value));
  }

  @Override
  public void begin() {
    means.clear();
  }

  @Override
  public void episode(EpisodeRecord episode, LogCounters counters) {
    means.add(episode.metrics());
  }

  @Override
  public void end(LogCounters counters) {
    long episode = counters.globalEpisode();
    for (var mean : means.means().entrySet()) {
      pending.add(new Metric(key(mean.getKey()), mean.getValue(), clock.instant(), episode));
    }
    for (; pending.size() > MAX_PENDING; lost++) {
      pending.remove();
    }
    attempt(this::deliver);
  }

  @Override
  public void close() {
    if (!pending.isEmpty()) {
      attempt(this::deliver);
    }
    String begun = run;
    if (begun != null) {
      attempt(() -> client.endRun(begun, clock.instant()));
    }
    client.close();
    lost += pending.size();
    if (lost > 0) {
      report.accept("MLflow at %s has missed %d values".formatted(target.server(), lost));
    }
  }

  private void deliver() throws IOException {
    if (run == null) {
      String experiment = client.experiment(target.experiment());
      run = client.createRun(experiment, target.run(), clock.instant());
    }
    while (!pending.isEmpty() || !pendingParams.isEmpty()) {
      List<Metric> metrics = pending.stream().limit(MAX_METRICS).toList();
      List<String> names = pendingParams.keySet().stream().limit(MAX_PARAMS).toList();
      var params = new LinkedHashMap<String, String>();
      names.forEach(name -> params.put(name, pendingParams.getOrDefault(name, "")));
      try {
        client.logBatch(run, metrics, params);
      } catch (MlflowClient.RefusedException e) {
        remove(metrics, names);
        lost += metrics.size();
        throw e;
      }
      remove(metrics, names);
    }
  }

  private void remove(List<Metric> metrics, List<String> params) {
    metrics.forEach(_ -> pending.remove());
    params.forEach(pendingParams::remove);
  }

  private void attempt(FileAction call) {
    try {
      call.run();
    } catch (IOException e) {
      if (!hasFailed) {
        hasFailed = true;
        // Some exceptions of the HTTP client have no message.
        report.accept(
            "MLflow at %s has failed, the run goes on without it: %s"
                .formatted(target.server(), e.getMessage() == null ? e : e.getMessage()));
      }
    }
  }

  /// Returns a name in which characters that MLflow forbids in keys are replaced.
  private static String key(String name) {
    String allowed = name.replaceAll("[^A-Za-z0-9_\\-. :/]", "_");
    return allowed.substring(0, Math.min(allowed.length(), MAX_KEY));
  }
}
