package io.tranche.env.log;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The five calls of MLflow's REST interface (version 2.0) that a run needs.
///
/// A call that can be repeated safely is retried when the server does not answer or reports an
/// error of its own. After a failed call only one attempt is made, so that a dead server costs
/// little time.
final class MlflowClient implements AutoCloseable {

  /// The server rejected a request; retrying would not help.
  static final class RefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message);
    }
  }

  /// One point of a curve.
  record Metric(String key, double value, Instant time, long step) {}

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int ATTEMPTS = 3;
  private static final long MAX_ANSWER = 1 << 20;

  private final String root;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
  private boolean hasFailed;

  MlflowClient(URI server) {
    this.root = server.toString().replaceFirst("/+$", "") + "/api/2.0/mlflow/";
  }

  /// Returns the id of an experiment, which is created if it does not exist.
  String experiment(String name) throws IOException {
    String found = find(name);
    if (found != null) {
      return found;
    }
    HttpResponse<String> created = post("experiments/create", Map.of("name", name), ATTEMPTS);
    // Another run may have created it in between.
    found = created.statusCode() == 200 ? null : find(name);
    return found == null ? text(ok(created), "experiment_id") : found;
  }

  private @Nullable String find(String name) throws IOException {
    String query = URLEncoder.encode(name, StandardCharsets.UTF_8);
    var request = request("experiments/get-by-name?experiment_name=" + query).GET().build();
    HttpResponse<String> answer = send(request, ATTEMPTS);
    if (answer.statusCode() == 404) {
      return null;
    }
    return text(ok(answer), "experiment", "experiment_id");
  }

  /// Creates a run and returns its id. Not retried: a lost response would leave a second run
  /// behind.
  String createRun(String experiment, String name, Instant start) throws IOException {
    Map<String, Object> body =
        Map.of("experiment_id", experiment, "run_name", name, "start_time", start.toEpochMilli());
    return text(ok(post("runs/create", body, 1)), "run", "info", "run_id");
  }

  void logBatch(String run, List<Metric> metrics, Map<String, String> params) throws IOException {
    var points = metrics.stream().map(MlflowClient::body).toList();
    var pairs =
        params.entrySet().stream()
            .map(param -> Map.of("key", param.getKey(), "value", param.getValue()))
            .toList();
    Map<String, ?> body = Map.of("run_id", run, "metrics", points, "params", pairs);
    ok(post("runs/log-batch", body, ATTEMPTS));
  }

  private static Map<String, Object> body(Metric metric) {
    return Map.of(
        "key", metric.key(),
        "value", metric.value(),
        "timestamp", metric.time().toEpochMilli(),
        "step", metric.step());
  }

  void endRun(String run, Instant end) throws IOException {
    Map<String, Object> body =
        Map.of("run_id", run, "status", "FINISHED", "end_time", end.toEpochMilli());
    ok(post("runs/update", body, ATTEMPTS));
  }

  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }

  private HttpResponse<String> post(String call, Map<String, ?> body, int attempts)
      throws IOException {
    var request =
        request(call)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(JsonText.of(body)))
            .build();
    return send(request, attempts);
  }

  private HttpRequest.Builder request(String call) {
    return HttpRequest.newBuilder(URI.create(root + call)).timeout(TIMEOUT);
  }

  private HttpResponse<String> send(HttpRequest request, int attempts) throws IOException {
    int last = hasFailed ? 1 : attempts;
    hasFailed = true;
    for (int attempt = 1; ; attempt++) {
      try {
        var answer = http.send(request, BodyHandlers.limiting(BodyHandlers.ofString(), MAX_ANSWER));
        if (answer.statusCode() < 500 && answer.statusCode() != 429) {
          hasFailed = false;
          return answer;
        }
        if (attempt == last) {
          throw new IOException(describe(answer));
        }
      } catch (InterruptedException e) {
        throw interrupted(e);
      } catch (IOException e) {
        if (attempt >= last) {
          throw e;
        }
      }
      pause(PAUSE.multipliedBy(attempt));
    }
  }

  private static void pause(Duration time) throws IOException {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IOException("interrupted", e);
  }

  private static HttpResponse<String> ok(HttpResponse<String> answer) throws RefusedException {
    if (answer.statusCode() != 200) {
      throw new RefusedException(describe(answer));
    }
    return answer;
  }

  private static String describe(HttpResponse<String> answer) {
    String body = answer.body().strip();
    return "%s answered %d %s"
        .formatted(
            answer.uri(),
            answer.statusCode(),
            body.substring(0, Math.min(body.length(), 200)).replaceAll("\\s+", " "));
  }

  private static String text(HttpResponse<String> answer, String... path) throws IOException {
    try {
      ConfigNode node = ConfigFiles.parse(answer.uri().toString(), answer.body());
      for (String key : path) {
        node = node.required(key);
      }
      return node.asText();
    } catch (ConfigException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
