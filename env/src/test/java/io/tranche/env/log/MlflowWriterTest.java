package io.tranche.env.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.log.FakeServer.Answer;
import io.tranche.env.log.FakeServer.Request;
import io.tranche.testkit.Python;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class MlflowWriterTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2024-01-02T03:04:05.5Z"));

  @TempDir Path folder;

  private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
  private final List<String> reports = new ArrayList<>();

  @Test
  void aRunIsMadeFilledAndEnded() throws IOException {
    try (var server = server(this::answer)) {
      try (var log = log(server.address(), Map.of("lr", "0.1"))) {
        collect(log);
        collect(log);
      }
    }

    assertThat(requests)
        .extracting(request -> request.method() + " " + request.target())
        .containsExactly(
            "GET /api/2.0/mlflow/experiments/get-by-name?experiment_name=my+experiment",
            "POST /api/2.0/mlflow/experiments/create",
            "POST /api/2.0/mlflow/runs/create",
            "POST /api/2.0/mlflow/runs/log-batch",
            "POST /api/2.0/mlflow/runs/log-batch",
            "POST /api/2.0/mlflow/runs/update");
    assertThat(body(1)).isEqualTo("{\"name\":\"my experiment\"}");
    assertThat(json(2).required("experiment_id").asText()).isEqualTo("17");
    assertThat(json(2).required("run_name").asText()).isEqualTo("a run");
    assertThat(json(2).required("start_time").asLong()).isEqualTo(1704164645500L);
    assertThat(json(3).required("run_id").asText()).isEqualTo("r1");
    assertThat(points(json(3)))
        .containsExactly("reward=2.0@2@1704164645500", "steps_per_episode=1.5@2@1704164645500");
    assertThat(json(3).required("params").asList().getFirst().required("key").asText())
        .isEqualTo("lr");
    assertThat(json(4).required("params").asList()).isEmpty();
    assertThat(points(json(4)).getFirst()).startsWith("reward=2.0@4@");
    assertThat(json(5).required("status").asText()).isEqualTo("FINISHED");
    assertThat(reports).isEmpty();
  }

  @Test
  void aServerThatRecoversMissesNothing() throws IOException {
    var failures = new HashMap<String, Integer>();
    try (var server =
        server(
            request ->
                failures.merge(request.target(), 1, Integer::sum) <= 1
                        && !request.target().endsWith("runs/create")
                    ? new Answer(503, "busy")
                    : answer(request))) {
      try (var log = log(server.address(), Map.of())) {
        collect(log);
      }
    }

    assertThat(reports).isEmpty();
    assertThat(requests)
        .filteredOn(request -> request.target().endsWith("log-batch"))
        .hasSize(2)
        .allMatch(request -> request.body().equals(requests.get(5).body()));
  }

  @Test
  void whatADeadServerMissesIsSentWhenItIsBack() throws IOException {
    var isDead = new boolean[] {true};
    try (var server =
        server(request -> isDead[0] ? new Answer(500, "dead\nas can be") : answer(request))) {
      try (var log = log(server.address(), Map.of())) {
        collect(log);
        collect(log);
        assertThat(requests).hasSize(4); // three attempts, then one
        isDead[0] = false;
        collect(log);
      }
    }

    assertThat(reports)
        .singleElement()
        .asString()
        .startsWith("MLflow at http://localhost:")
        .contains("has failed, the run goes on without it: ")
        .endsWith("experiment_name=my+experiment answered 500 dead as can be");
    assertThat(requests)
        .filteredOn(request -> request.target().endsWith("log-batch"))
        .singleElement()
        .satisfies(
            request -> assertThat(points(ConfigFiles.parse("body", request.body()))).hasSize(6));
  }

  @Test
  void whatAServerRefusesIsDroppedAndTheRestFollows() throws IOException {
    var refusals = new int[] {1};
    try (var server =
        server(
            request ->
                request.target().endsWith("log-batch") && refusals[0]-- > 0
                    ? new Answer(400, "{\"error_code\": \"INVALID_PARAMETER_VALUE\"}")
                    : answer(request))) {
      try (var log = log(server.address(), Map.of())) {
        collect(log);
        collect(log);
      }
    }

    assertThat(reports).hasSize(2);
    assertThat(reports.getFirst()).contains("answered 400", "INVALID_PARAMETER_VALUE");
    assertThat(reports.getLast()).endsWith("has missed 2 values");
    assertThat(points(json(requests.size() - 2)).getFirst()).startsWith("reward=2.0@4@");
  }

  @Test
  void noServerIsReportedOnceAndLeavesNoThread() throws IOException, InterruptedException {
    URI nowhere;
    // A port that is bound but not listening, so that no other process can use it.
    try (var socket = new Socket()) {
      socket.bind(new InetSocketAddress(0));
      nowhere = URI.create("http://localhost:" + socket.getLocalPort());
      try (var log = log(nowhere, Map.of())) {
        collect(log);
        collect(log);
      }
    }

    assertThat(reports).hasSize(2);
    assertThat(reports.getFirst()).startsWith("MLflow at " + nowhere + " has failed");
    assertThat(reports.getLast()).isEqualTo("MLflow at " + nowhere + " has missed 4 values");
    // The client's workers end by themselves soon after it is closed; a leak would never.
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("HttpClient")) {
        assertThat(thread.join(PATIENCE)).as(thread.getName()).isTrue();
      }
    }
  }

  @Test
  void anAnswerThatMakesNoSenseIsAFailureLikeAnother() throws IOException {
    for (String answer : List.of("", "{", "[1]", "{\"experiment\": 3}", "x".repeat(2 << 20))) {
      reports.clear();
      try (var server = server(_ -> new Answer(200, answer));
          var log = log(server.address(), Map.of())) {
        collect(log);
      }

      assertThat(reports).hasSize(2);
      assertThat(reports.getFirst()).contains("has failed").doesNotContain("\n");
    }
  }

  @Test
  void aRunWithoutEpisodesIsNeverMade() throws IOException {
    try (var server = server(this::answer)) {
      log(server.address(), Map.of()).close();
    }

    assertThat(requests).isEmpty();
  }

  @Test
  void otherAddressesAreRefused() {
    for (String address : List.of("file:/tmp/mlruns", "http:///mlflow", "mlflow")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new MlflowWriter.Target(URI.create(address), "e", "r", Map.of()))
          .withMessage("server must be an http address, was " + address);
    }
  }

  @Test
  @Tag("full")
  @Timeout(1_200) // with its installation
  void theRealMlflowHoldsEveryPoint() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("mlflow");
    int port;
    try (var socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Process server =
        new ProcessBuilder(
                python.toString(), "-m", "mlflow", "server", "--port", "" + port, "--workers", "1")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("server.log").toFile())
            .start();
    try {
      awaitPort(server, port);
      URI address = URI.create("http://localhost:" + port);
      try (var log = log(address, Map.of("lr", "0.1"))) {
        collect(log);
        log.onEnvAllReady();
        Episodes.run(log, 0, Double.NaN);
        log.onEnvAllDone();
        collect(log);
      }

      assertThat(reports).isEmpty();
      assertThat(
              Python.run(
                  python,
                  """
                  import sys
                  from mlflow.tracking import MlflowClient
                  client = MlflowClient(sys.argv[1])
                  experiment = client.get_experiment_by_name('my experiment')
                  for run in client.search_runs([experiment.experiment_id]):
                      print(run.info.run_name, run.info.status, run.data.params)
                      for m in client.get_metric_history(run.info.run_id, 'reward'):
                          print(m.value, m.step, m.timestamp)
                  """,
                  address.toString()))
          .isEqualTo(
              """
              a run FINISHED {'lr': '0.1'}
              2.0 2 1704164645500
              nan 3 1704164645500
              2.0 5 1704164645500
              """);
    } finally {
      server.descendants().forEach(ProcessHandle::destroy);
      server.destroy();
      server.waitFor(10, TimeUnit.SECONDS);
    }
  }

  private static void awaitPort(Process server, int port) throws InterruptedException {
    while (server.isAlive()) {
      try (var _ = new Socket("localhost", port)) {
        return;
      } catch (IOException e) {
        server.waitFor(200, TimeUnit.MILLISECONDS);
      }
    }
    throw new AssertionError("the server has ended with " + server.exitValue());
  }

  private Answer answer(Request request) {
    String call = request.target().replaceFirst(".*/mlflow/", "").replaceFirst("\\?.*", "");
    return switch (call) {
      case "experiments/get-by-name" ->
          new Answer(404, "{\"error_code\": \"RESOURCE_DOES_NOT_EXIST\"}");
      case "experiments/create" -> new Answer(200, "{\n  \"experiment_id\": \"17\"\n}");
      case "runs/create" ->
          new Answer(200, "{\"run\": {\"info\": {\"run_id\": \"r1\", \"status\": \"RUNNING\"}}}");
      default -> new Answer(200, "{}");
    };
  }

  private FakeServer server(Function<Request, Answer> handler) throws IOException {
    return new FakeServer(
        request -> {
          requests.add(request);
          return handler.apply(request);
        });
  }

  private EpisodeLog log(URI server, Map<String, String> params) {
    var target = new MlflowWriter.Target(server, "my experiment", "a run", params);
    return new EpisodeLog(new MlflowWriter(target, CLOCK, reports::add));
  }

  private static void collect(EpisodeLog log) {
    log.onEnvAllReady();
    Episodes.run(log, 0, 1, 2);
    Episodes.run(log, 1, 1);
    log.onEnvAllDone();
  }

  private String body(int request) {
    return requests.get(request).body();
  }

  private ConfigNode json(int request) {
    return ConfigFiles.parse("body", body(request));
  }

  private static List<String> points(ConfigNode body) {
    return body.required("metrics").asList().stream()
        .map(
            metric ->
                "%s=%s@%s@%s"
                    .formatted(
                        metric.required("key").asText(),
                        metric.required("value").asDouble(),
                        metric.required("step").asLong(),
                        metric.required("timestamp").asLong()))
        .toList();
  }
}
