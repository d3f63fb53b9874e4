package io.tranche.serving.app;

import static io.tranche.serving.JsonTree.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.JsonTree;
import io.tranche.serving.Schema;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Answers of a real service match its OpenAPI document, and errors reveal nothing internal.
class ContractTest {

  private static final String ORDER =
      """
      {"id":"%s","instrument":"A","date":"2026-03-03","side":"sell","amount":800,
       "start":"2026-03-03T09:30:00","end":"2026-03-03T14:59:00"}\
      """;
  private static final String BAR =
      """
      {"instrument":"A","date":"2026-03-03","time":"2026-03-03T%s","fields":["close","volume"],"values":[10.5,%s]}\
      """;
  private static final String OBSERVATION =
      """
      {"data_processed":[%1$s],"data_processed_prev":[%1$s],"acquiring":0,"cur_tick":30,"cur_step":1,
       "num_step":8,"target":100,"position":90,"position_history":[100,90,0,0,0,0,0,0]}\
      """
          .formatted("[0.5,0.25],".repeat(239) + "[0.5,0.25]");

  @TempDir Path folder;

  private final List<String> log = new ArrayList<>();
  private final TreeSet<String> seen = new TreeSet<>();
  private Map<?, ?> document = Map.of();
  private @Nullable DecisionServer server;

  @BeforeEach
  void start() throws Exception {
    var started =
        DecisionServer.start(
            ServedModels.config(folder, "log=debug"),
            line -> {
              synchronized (log) {
                log.add(line);
              }
            });
    server = started;
    document = map(JsonTree.read(send(started, "GET", "/openapi.json", null, "").body()));
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private HttpResponse<String> send(
      DecisionServer to, String method, String path, @Nullable String body, String token)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(to.http().url() + path))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    // A client each: JDK-8357639 loses kept connections now and then.
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request.build(), BodyHandlers.ofString());
    }
  }

  /// Sends a request and checks the answer against the document.
  ///
  /// @param template the path in the document
  private @Nullable Object ask(
      int status, String method, String template, String id, @Nullable String body)
      throws Exception {
    String path = template.replace("{id}", id);
    var to = java.util.Objects.requireNonNull(server);
    var response = send(to, method, path, body, ServedModels.TOKEN);
    String text = response.body();
    assertThat(response.statusCode()).as("%s %s: %s", method, path, text).isEqualTo(status);
    var operation =
        map(map(map(document.get("paths")).get(template)).get(method.toLowerCase(Locale.ROOT)));
    var responses = map(operation.get("responses"));
    Object documented = responses.get(Integer.toString(status));
    assertThat(documented).as("%s of %s %s", status, method, template).isNotNull();
    Object ref = map(documented).get("$ref");
    Object whole = ref == null ? documented : new Schema(document).resolve(ref.toString());
    String type = response.headers().firstValue("content-type").orElse("").split(";", -1)[0];
    Object content = map(map(whole).get("content")).get(type);
    assertThat(content).as("%s of %s %s", type, method, template).isNotNull();
    Object value = type.equals("application/json") ? JsonTree.read(text) : text;
    assertThat(new Schema(document).complaints(map(content).get("schema"), value)).isEmpty();
    if (status == 200) {
      seen.add(method + " " + template);
      requireDocumented(operation, body);
    } else {
      requireDiscreet(text);
    }
    return value;
  }

  /// An accepted request must be one that the document allows.
  private void requireDocumented(Map<?, ?> operation, @Nullable String body) {
    if (body != null) {
      Object schema =
          map(map(map(operation.get("requestBody")).get("content")).get("application/json"))
              .get("schema");
      assertThat(new Schema(document).complaints(schema, JsonTree.read(body))).isEmpty();
    }
  }

  private void requireDiscreet(String text) {
    assertThat(text)
        .doesNotContain(folder.toString(), "Exception", "io.tranche", "java", "\\tat ", ".tranche");
  }

  @Test
  void everyEndpointAnswersAsDocumented() throws Exception {
    ask(200, "GET", "/health", "", null);
    ask(200, "GET", "/ready", "", null);
    ask(
        200,
        "POST",
        "/v1/days",
        "",
        """
        {"instrument":"A","date":"2026-03-03","earlier":[{"date":"2026-03-02","fields":["close_1","volume_1"],
         "bars":[{"time":"2026-03-02T09:30:00","values":[10,null]}]}]}\
        """);
    ask(200, "POST", "/v1/orders", "", ORDER.formatted("x"));
    ask(200, "POST", "/v1/bars", "", BAR.formatted("09:30:00", "100"));
    ask(
        200,
        "POST",
        "/v1/bars",
        "",
        "{\"bars\":[%s,%s]}"
            .formatted(BAR.formatted("09:31:00", "null"), BAR.formatted("03:00:00", "1")));
    ask(200, "POST", "/v1/orders/{id}/decide", "x", null);
    ask(200, "POST", "/v1/orders/{id}/decide", "x", "{\"step\":0}");
    ask(200, "POST", "/v1/bars", "", BAR.formatted("14:29:00", "100"));
    Object last = ask(200, "POST", "/v1/orders/{id}/decide", "x", "{\"deadline_micros\":30000000}");
    assertThat(map(last).get("volume")).isEqualTo(800.0);
    ask(
        200,
        "POST",
        "/v1/orders/{id}/fills",
        "x",
        "{\"fill_id\":\"f\",\"step\":7,\"volume\":300,\"price\":10}");
    ask(200, "GET", "/v1/orders/{id}", "x", null);
    ask(200, "GET", "/v1/orders", "", null);
    ask(200, "GET", "/v1/models", "", null);
    ask(200, "GET", "/v1/orders/after/{id}", "a", null);
    ask(200, "POST", "/v1/predict", "", "{\"observation\":%s}".formatted(OBSERVATION));
    ask(200, "POST", "/v1/predict", "", "{\"observations\":[%s]}".formatted(OBSERVATION));
    ask(200, "POST", "/v1/orders/{id}/children", "x", "{\"step\":7,\"phase\":\"done\"}");
    ask(200, "GET", "/v1/orders/{id}/children", "x", null);
    ask(200, "POST", "/v1/orders/{id}/amend", "x", "{\"amount\":900}");
    ask(200, "GET", "/v1/unmatched", "", null);
    String day = "{\"instrument\":\"A\",\"date\":\"2026-03-03\",%s}";
    ask(200, "POST", "/v1/references", "", day.formatted("\"price\":10"));
    ask(200, "POST", "/v1/halts", "", day.formatted("\"halted\":true"));
    ask(200, "POST", "/v1/heartbeats", "", "{\"account\":\"desk\",\"seconds\":60}");
    ask(
        200,
        "POST",
        "/v1/admin/limits",
        "",
        "{\"scope\":\"account\",\"name\":\"*\",\"limits\":{\"net_value\":0}}");
    ask(200, "GET", "/v1/limits", "", null);
    ask(
        200,
        "POST",
        "/v1/admin/corrections/fills",
        "",
        "{\"id\":\"x\",\"fill_id\":\"f\",\"volume\":200,\"price\":10}");
    ask(200, "POST", "/v1/admin/corrections/bars", "", BAR.formatted("09:30:00", "101"));
    ask(200, "POST", "/v1/orders/{id}/cancel", "x", null);
    ask(200, "POST", "/v1/admin/models/load", "", "{\"model\":\"demo@2\"}");
    ask(
        200,
        "POST",
        "/v1/admin/route",
        "",
        "{\"model\":\"demo@1\",\"canary\":\"demo@2\",\"canary_share\":0.5,\"shadows\":[\"demo@2\"]}");
    ask(200, "POST", "/v1/admin/route", "", "{\"model\":\"demo@1\"}");
    ask(200, "POST", "/v1/admin/models/unload", "", "{\"model\":\"demo@2\"}");
    ask(
        200,
        "POST",
        "/v1/admin/switches",
        "",
        "{\"scope\":\"model\",\"name\":\"demo@1\",\"off\":true}");
    ask(200, "GET", "/v1/switches", "", null);
    ask(200, "GET", "/metrics", "", null);
    ask(200, "GET", "/openapi.json", "", null);
    ask(200, "POST", "/v1/days/end", "", "{\"up_to\":\"2026-03-03\"}");
    ask(200, "POST", "/v1/admin/drain", "", null);

    var all = new TreeSet<String>();
    map(document.get("paths"))
        .forEach(
            (path, methods) ->
                map(methods)
                    .keySet()
                    .forEach(
                        method ->
                            all.add(method.toString().toUpperCase(Locale.ROOT) + " " + path)));
    all.remove("POST /v1/frames"); // no JSON
    // Streams without an end: EventStreamTest reads them.
    all.removeAll(List.of("GET /v1/events", "GET /v1/events/after/{id}"));
    assertThat(seen).isEqualTo(all);
  }

  @Test
  void errorsAreAsDocumentedAndTellNothing() throws Exception {
    ask(200, "POST", "/v1/orders", "", ORDER.formatted("x"));
    ask(409, "POST", "/v1/orders", "", ORDER.formatted("x").replace("800", "900"));
    ask(422, "POST", "/v1/orders", "", ORDER.formatted("y").replace("14:59", "02:59"));
    ask(404, "POST", "/v1/orders", "", ORDER.formatted("y").replace("{", "{\"model\":\"no@1\","));
    ask(400, "POST", "/v1/orders", "", "{\"id\":");
    ask(400, "POST", "/v1/orders", "", "[".repeat(10_000));
    ask(404, "GET", "/v1/orders/{id}", "..%2F..%2Fetc%2Fpasswd", null);
    ask(400, "GET", "/v1/orders/{id}", "%00", null);
    ask(409, "POST", "/v1/orders/{id}/decide", "x", "{\"step\":7}");
    ask(422, "POST", "/v1/orders/{id}/fills", "x", "{\"fill_id\":\"f\",\"volume\":0,\"price\":1}");
    ask(
        404,
        "POST",
        "/v1/orders/{id}/fills",
        "nobody",
        "{\"fill_id\":\"f\",\"step\":3,\"volume\":1,\"price\":1}");
    ask(422, "POST", "/v1/orders", "", ORDER.formatted("y").replace("800", "1e300"));
    ask(422, "POST", "/v1/bars", "", BAR.formatted("09:30:00", "1").replace("volume", "other"));
    ask(
        422,
        "POST",
        "/v1/days",
        "",
        "{\"instrument\":\"A\",\"date\":\"9999-12-31\"}"
            .replace("}", ",\"earlier\":[{\"date\":\"2026-03-02\",\"fields\":[],\"bars\":[]}]}"));
    ask(
        404,
        "POST",
        "/v1/predict",
        "",
        "{\"model\":\"no\",\"observation\":%s}".formatted(OBSERVATION));
    ask(
        422,
        "POST",
        "/v1/predict",
        "",
        "{\"observation\":%s}".formatted(OBSERVATION.replace("0.5,0.25", "0.5,0.25,1")));
    ask(422, "POST", "/v1/admin/models/load", "", "{\"model\":\"no@1\"}");
    ask(400, "POST", "/v1/admin/models/load", "", "{\"model\":\"%2e%2e/demo@1\"}");
    ask(400, "POST", "/v1/admin/models/load", "", "{\"model\":\"file:///etc/passwd\"}");
    ask(404, "POST", "/v1/admin/models/unload", "", "{\"model\":\"no@1\"}");
    ask(409, "POST", "/v1/admin/models/unload", "", "{\"model\":\"demo@1\"}");
    ask(404, "POST", "/v1/admin/route", "", "{\"model\":\"no@1\"}");
    synchronized (log) {
      assertThat(log).noneMatch(line -> line.contains("\"failed\"") || line.contains("\"fault\""));
      assertThat(log)
          .as("a refusal by risk")
          .anyMatch(line -> line.contains("\"risk\"") && line.contains("amount of order y"));
    }
  }

  @Test
  void everyLineOfTheLogIsAnObjectAndRequestsHaveTheirIds() throws Exception {
    ask(200, "POST", "/v1/orders", "", ORDER.formatted("x\\\"\\u2028{}"));
    ask(404, "GET", "/v1/orders/{id}", "%22%7B1", null);
    String strange = BAR.formatted("09:30:00", "100").replace("\"A\"", "\"\\\"\\\\{\"");
    ask(200, "POST", "/v1/bars", "", strange);
    ask(
        200,
        "POST",
        "/v1/admin/switches",
        "",
        "{\"scope\":\"instrument\",\"name\":\"\\\"\\\\{\",\"off\":true}");
    List<String> lines;
    synchronized (log) {
      lines = List.copyOf(log);
    }

    assertThat(lines).isNotEmpty();
    for (String line : lines) {
      var properties = map(JsonTree.read(line));
      assertThat(properties.containsKey("time")).isTrue();
      assertThat(properties.containsKey("level")).isTrue();
      if ("answered".equals(properties.get("event"))) {
        assertThat(String.valueOf(properties.get("request"))).matches("[A-Za-z0-9._-]{1,64}");
      }
    }
    assertThat(lines).anyMatch(line -> line.contains("\"endpoint\":\"POST /v1/orders\""));
  }
}
