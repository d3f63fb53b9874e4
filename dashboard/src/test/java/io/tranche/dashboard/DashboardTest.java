package io.tranche.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.dashboard.http.WebServer;
import io.tranche.serving.http.Token;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What the server answers, and what it refuses.
class DashboardTest {

  private static final String TOKEN = "0123456789abcdef-dashboard";

  @TempDir Path folder;

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Path> resumed = new ArrayList<>();
  private final List<String> defects = new ArrayList<>();
  private Dashboard dashboard;
  private Path run = Path.of("");

  @BeforeEach
  void start() throws IOException {
    run = SampleRuns.run(folder.resolve("one"), 1, 40, 40);
    dashboard =
        Dashboard.start(
            new DashboardConfig(
                folder,
                new WebServer.Settings("127.0.0.1", 0, new Token(TOKEN)),
                null,
                null,
                resumed::add,
                defects::add));
  }

  @AfterEach
  void stop() {
    dashboard.close();
    client.close();
    assertThat(defects).isEmpty();
  }

  private HttpResponse<String> send(String path, String... headers)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(dashboard.url() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = send(path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(answer.body());
  }

  private HttpResponse<String> post(String path, String token, String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(dashboard.url() + path))
            .header("content-type", "application/json")
            .header("authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofString(body));
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void curvesAreThoseOfTheFile() throws Exception {
    JsonNode answer = get("/api/series?run=one&metric=pa&metric=val/pa&metric=throughput");

    JsonNode training = answer.path("curves").get(0);
    assertThat(training.path("y").size()).isEqualTo(40);
    assertThat(training.path("y").get(39).asDouble()).isEqualTo(SampleRuns.advantage(1, 40));
    JsonNode validation = answer.path("curves").get(1);
    assertThat(validation.path("x").get(0).asInt()).isEqualTo(4);
    assertThat(validation.path("y").get(9).asDouble())
        .isEqualTo(0.9 * SampleRuns.advantage(1, 40) + 0.01);
    assertThat(answer.path("curves").get(2).path("y").get(5).asDouble()).isEqualTo(2000);
    assertThat(answer.path("complete").asBoolean()).isTrue();
  }

  @Test
  void runsThatDifferOnlyInTheirSeedAreABand() throws Exception {
    SampleRuns.run(folder.resolve("two"), 2, 40, 40);
    SampleRuns.run(folder.resolve("longer"), 1, 80, 40);

    JsonNode answer =
        get("/api/series?run=one&run=two&run=longer&metric=pa&bands=1");

    assertThat(answer.path("bands").size()).isEqualTo(1);
    JsonNode band = answer.path("bands").get(0);
    assertThat(band.path("runs").size()).isEqualTo(2);
    double one = SampleRuns.advantage(1, 7);
    double two = SampleRuns.advantage(2, 7);
    assertThat(band.path("x").get(6).asInt()).isEqualTo(7);
    assertThat(band.path("mean").get(6).asDouble()).isEqualTo((one + two) / 2);
    assertThat(band.path("low").get(6).asDouble()).isEqualTo(Math.min(one, two));
    assertThat(band.path("high").get(6).asDouble()).isEqualTo(Math.max(one, two));
    JsonNode compared = get("/api/compare?run=one&run=longer");
    assertThat(compared.path("settings").get(0).path("path").asString())
        .isEqualTo("trainer.max_iterations");
    assertThat(compared.path("settings").size()).isEqualTo(1);
  }

  @Test
  void ordersAreSortedFilteredAndPagedByTheServer() throws Exception {
    SampleRuns.judge(run, 1_000, 10);

    JsonNode best = get("/api/orders?run=one&sort=net&down=1&limit=3");
    JsonNode buys = get("/api/orders?run=one&side=BUY&instrument=syn0001&limit=500");
    JsonNode known = get("/api/orders?run=one&recorded=1&sort=start&offset=8");

    double highest = 0;
    for (int i = 0; i < 1_000; i++) {
      highest = Math.max(highest, SampleRuns.bps(i) - 1.5);
    }
    assertThat(best.path("rows").get(0).path("net").asDouble()).isEqualTo(highest);
    assertThat(best.path("found").asInt()).isEqualTo(1_000);
    assertThat(buys.path("found").asInt()).isEqualTo(20);
    assertThat(known.path("rows").size()).isEqualTo(2);
    JsonNode order = get("/api/order?run=one&index=3");
    assertThat(order.path("steps").path("steps").get(0).path("scores").get(2).asDouble())
        .isEqualTo(0.7);
    assertThat(order.path("order").path("references").path("TWAP").asDouble()).isEqualTo(-1.5);
    assertThat(get("/api/order?run=one&index=999").path("steps").isNull()).isTrue();
    assertThat(send("/api/order?run=one&index=1000").statusCode()).isEqualTo(404);
    assertThat(send("/api/orders?run=one&sort=password").statusCode()).isEqualTo(400);
  }

  @Test
  void damagedRecordsAreTold() throws Exception {
    SampleRuns.judge(run, 100, 5);
    Path file = run.resolve("judge/orders.record");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));

    HttpResponse<String> answer = send("/api/orders?run=one");

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.body()).contains("expected a whole record of orders");
  }

  @Test
  void runsThatAreBrokenOrGoneAreTold() throws Exception {
    Files.writeString(run.resolve("config.yml"), "a: [1");
    assertThat(get("/api/run?id=one").path("run").path("problem").asString()).contains("config.yml");
    Path report = Files.createDirectories(run.resolve("judge")).resolve("report.json");
    Files.writeString(report, "{\"format\": 1, \"title\": \"half");
    assertThat(get("/api/run?id=one").path("reportProblem").asString()).contains("report.json");

    try (var files = Files.walk(run)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }

    HttpResponse<String> gone = send("/api/run?id=one");
    assertThat(gone.statusCode()).isEqualTo(404);
    assertThat(gone.body()).contains("one: expected a run, was nothing");
    assertThat(get("/api/runs").path("runs").size()).isZero();
  }

  @Test
  void nothingOutsideTheFolderCanBeRead() throws Exception {
    Path outside = SampleRuns.run(folder.resolveSibling(folder.getFileName() + "-x"), 1, 4, 4);
    try {
      for (String id : List.of("../" + outside.getFileName(), outside.toString(), "one/../..", "")) {
        String name = URLEncoder.encode(id, StandardCharsets.UTF_8);
        assertThat(send("/api/run?id=" + name).statusCode()).as(id).isIn(400, 404);
      }
      assertThat(send("/../../etc/passwd").statusCode()).isEqualTo(404);
      assertThat(send("/web/main.js").statusCode()).isEqualTo(404);
    } finally {
      try (var files = Files.walk(outside)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
  }

  @Test
  void pagesOfOthersAreRefused() throws Exception {
    assertThat(send("/", "origin", "http://evil.example").statusCode()).isEqualTo(403);
    assertThat(send("/api/runs", "sec-fetch-site", "cross-site").statusCode()).isEqualTo(403);
    assertThat(send("/api/runs", "content-type", "text/plain").statusCode()).isEqualTo(403);
    URI url = URI.create(dashboard.url());
    try (var socket = new Socket(url.getHost(), url.getPort())) {
      socket.getOutputStream().write("GET /api/runs HTTP/1.1\r\nHost: evil.example\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8))
          .isEqualTo("HTTP/1.1 403");
    }
    String policy = send("/").headers().firstValue("content-security-policy").orElse("");
    assertThat(policy).contains("default-src 'none'").doesNotContain("unsafe");
  }

  @Test
  void changesNeedTheToken() throws Exception {
    String tags = "{\"run\":\"one\",\"tags\":[\"good\",\"%s\"]}".formatted(SampleRuns.HOSTILE);
    assertThat(post("/api/tags", "wrong-wrong-wrong-wrong", tags).statusCode()).isEqualTo(403);
    assertThat(run.resolve("tags.json")).doesNotExist();

    assertThat(post("/api/tags", TOKEN, tags).statusCode()).isEqualTo(200);

    assertThat(get("/api/run?id=one").path("run").path("tags").get(1).asString())
        .isEqualTo(SampleRuns.HOSTILE);
    assertThat(post("/api/tags", TOKEN, "{\"run\":\"one\",\"tags\":[\"\"]}").statusCode())
        .isEqualTo(422);
    assertThat(post("/api/stop", TOKEN, "{\"run\":\"one\"}").statusCode()).isEqualTo(409);
    Files.writeString(run.resolve("lock"), Long.toString(ProcessHandle.current().pid()));
    assertThat(get("/api/run?id=one").path("run").path("state").asString()).isEqualTo("RUNNING");
    assertThat(post("/api/stop", TOKEN, "{\"run\":\"one\"}").statusCode()).isEqualTo(200);
    assertThat(run.resolve("stop.request")).exists();
    assertThat(post("/api/resume", TOKEN, "{\"run\":\"one\"}").statusCode()).isEqualTo(409);
    Files.delete(run.resolve("lock"));
    assertThat(post("/api/resume", TOKEN, "{\"run\":\"one\"}").statusCode()).isEqualTo(200);
    assertThat(resumed).containsExactly(run);
  }

  @Test
  void wrongQuestionsGetASentence() throws Exception {
    assertThat(send("/api/series?run=one").body())
        .contains("metric: expected 1 to 32 metrics, was 0");
    assertThat(send("/api/series?run=one&metric=pa&points=x").body()).contains("points: expected a number");
    assertThat(send("/api/nothing").statusCode()).isEqualTo(404);
    assertThat(send("/api/orders?run=one").body()).contains("missing");
    assertThat(send("/api/service").body()).contains("missing");
    assertThat(send("/api/health?run=one").statusCode()).isEqualTo(200);
  }
}
