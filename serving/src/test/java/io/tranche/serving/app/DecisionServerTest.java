package io.tranche.serving.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.backtest.Frictions;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.BarTime;
import io.tranche.market.Side;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LiveOrder;
import io.tranche.runtime.LoadedModel;
import io.tranche.serving.Answer;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.TestModels;
import io.tranche.serving.Waiting;
import io.tranche.serving.client.RefusedException;
import io.tranche.serving.client.TrancheClient;
import io.tranche.serving.engine.Engine;
import io.tranche.serving.engine.TestService;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole service over HTTP, with every client.
class DecisionServerTest {

  private static final String TOKEN = ServedModels.TOKEN;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path folder;

  private DecisionServerConfig config(String... assignments) throws IOException {
    return ServedModels.config(folder, assignments);
  }

  private DecisionServer start(String... assignments) throws IOException {
    return DecisionServer.start(config(assignments), _ -> {});
  }

  private static TrancheClient client(DecisionServer server) {
    var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    return new TrancheClient(http, URI.create(server.http().url()), PATIENCE, null);
  }

  @Test
  void answersAreThoseOfTheRuntimeInProcess() throws Exception {
    var runtime = DecisionRuntime.open(config().engine().models().resolve("demo@1.tranche"));
    LiveDay day = runtime.openDay("A", TestService.DATE, List.of());
    LiveOrder order =
        day.openOrder("x", Side.SELL, 1000, TestService.time(0), TestService.DATE.atTime(14, 59));
    var volumes = new ArrayList<Double>();
    try (var server = start();
        var client = client(server)) {
      client.openOrder(TestService.order("x", "A", 1000));
      for (int tick = 0; tick < 240; tick++) {
        if (order.isDue()) {
          double expected = order.decide();
          Answer.Child child =
              tick % 60 == 0
                  ? client.decide(new Request.Decide("x", null, null))
                  : (Answer.Child)
                      client.exchange(List.of(new Request.Decide("x", null, null))).getFirst();
          assertThat(child.source()).isEqualTo(Answer.Source.MODEL);
          assertThat(child.volume()).isEqualTo(expected);
          volumes.add(expected);
          if (expected > 0 && tick < 200) {
            order.fill(expected / 2, 10);
            Answer.OrderState state =
                client.fill(new Request.Fill("x", "f" + tick, expected / 2, 10));
            assertThat(state.remaining()).isEqualTo(order.remaining());
          }
        }
        Request.Bar bar = TestService.bar("A", tick);
        day.bar(BarTime.of(bar.time()), new float[] {bar.values().get(0), bar.values().get(1)});
        assertThat(client.bar(bar)).isInstanceOf(Answer.BarTaken.class);
      }
    }

    assertThat(volumes).hasSize(8).anyMatch(volume -> volume > 0);
  }

  static FullHistoryObservation observation(long seed) {
    var random = new SplittableRandom(seed);
    var entries = new LinkedHashMap<String, Value>();
    for (String key : List.of("data_processed", "data_processed_prev")) {
      double[] data = random.doubles(480).map(each -> (float) each).toArray();
      entries.put(key, new Value.Floats(ElementType.FLOAT32, List.of(240, 2), data));
    }
    entries.put("acquiring", new Value.Integers(ElementType.INT32, List.of(), 0));
    entries.put("cur_tick", new Value.Integers(ElementType.INT32, List.of(), 60));
    entries.put("cur_step", new Value.Integers(ElementType.INT32, List.of(), 2));
    entries.put("num_step", new Value.Integers(ElementType.INT32, List.of(), 8));
    entries.put("target", new Value.Floats(ElementType.FLOAT32, List.of(), 100));
    entries.put("position", new Value.Floats(ElementType.FLOAT32, List.of(), 75));
    entries.put(
        "position_history",
        new Value.Floats(ElementType.FLOAT32, List.of(8), 100, 90, 75, 0, 0, 0, 0, 0));
    return FullHistoryObservation.fromValue(new Value.Dict(entries));
  }

  @Test
  void predictsAsTheModelDoesAndRemembers() throws Exception {
    var predictor =
        LoadedModel.open(config().engine().models().resolve("demo@1.tranche")).newPredictor(32);
    List<FullHistoryObservation> seen = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      seen.add(observation(i));
    }
    predictor.evaluate(seen);
    try (var server = start();
        var client = client(server)) {
      var first = client.predict(null, seen, null);
      var again = client.predict("demo@1", seen, 1_000_000L);

      for (int row = 0; row < seen.size(); row++) {
        assertThat(first.get(row).action()).isEqualTo(predictor.choice(row));
        for (int choice = 0; choice < predictor.choices(); choice++) {
          assertThat(first.get(row).scores().get(choice)).isEqualTo(predictor.score(row, choice));
        }
        assertThat(first.get(row).isCached()).isFalse();
        assertThat(again.get(row).isCached()).isTrue();
        assertThat(again.get(row).scores()).isEqualTo(first.get(row).scores());
      }
      String metrics = get(server, "/metrics");
      assertThat(metrics)
          .contains("tranche_predict_cache_hits_total 32", "tranche_predict_rows_total 32");
      assertThat(metrics)
          .contains("tranche_decisions_total{source=\"model\"} 0", "tranche_journal_forces_total ");
      assertThatThrownBy(() -> client.predict("nobody", seen, null))
          .isInstanceOf(RefusedException.class)
          .hasMessage("404: there is no such model");
      assertThatThrownBy(() -> client.predict(null, List.of(observation(99)), 1L))
          .isInstanceOfSatisfying(
              RefusedException.class, late -> assertThat(late.status()).isEqualTo(504));
    }
  }

  private static String get(DecisionServer server, String path) throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create(server.http().url() + path)).build(),
              BodyHandlers.ofString())
          .body();
    }
  }

  @Test
  void goesOnAfterARestart() throws Exception {
    try (var server = start();
        var client = client(server)) {
      client.openOrder(TestService.order("x", "A", 1000));
      client.bars(List.of(TestService.bar("A", 0), TestService.bar("A", 1)));
    }
    try (var server = start();
        var client = new TrancheClient(URI.create(server.http().url()))) {
      assertThat(client.order("x").remaining()).isEqualTo(1000);
      assertThat(client.isReady()).isTrue();
    }
  }

  @Test
  void whatAClientThatVanishedAskedForIsDoneOnce() throws Exception {
    try (var server = start();
        var client = client(server)) {
      String body =
          """
          {"id":"x","instrument":"A","date":"2026-03-03","side":"sell","amount":1000,
           "start":"2026-03-03T09:30:00","end":"2026-03-03T14:59:00"}\
          """;
      for (int i = 0; i < 3; i++) {
        try (var socket =
            new Socket(InetAddress.getLoopbackAddress(), server.http().address().getPort())) {
          socket.setSoLinger(true, 0); // gone at once
          socket
              .getOutputStream()
              .write(
                  ("POST /v1/orders HTTP/1.1\r\n"
                          + "host: localhost\r\n"
                          + "content-type: application/json\r\n"
                          + "content-length: %d\r\n\r\n%s".formatted(body.length(), body))
                      .getBytes(StandardCharsets.UTF_8));
          Waiting.until(() -> server.engine().openOrders() == 1);
        }
      }

      assertThat(client.openOrder(TestService.order("x", "A", 1000)).remaining()).isEqualTo(1000);
      Waiting.untilCount(server.engine().counters().ordersOpened, 1);
    }
  }

  @Test
  void listsOrdersByTheirIds() throws Exception {
    try (var server = start();
        var client = client(server)) {
      var opened = new ArrayList<CompletableFuture<Answer>>();
      for (int i = 0; i < 1_003; i++) {
        opened.add(server.engine().ask(TestService.order("o%05d".formatted(i), "A", 1000)));
      }
      opened.forEach(CompletableFuture::join);

      Answer.Orders first = client.orders(null);
      Answer.Orders rest = client.orders(first.states().getLast().id());

      assertThat(first.states()).hasSize(1_000);
      assertThat(first.isWhole()).isFalse();
      assertThat(rest.states())
          .extracting(Answer.OrderState::id)
          .containsExactly("o01000", "o01001", "o01002");
      assertThat(rest.isWhole()).isTrue();
    }
  }

  @Test
  void modelsSayWhatTheyWant() throws Exception {
    var spec = LoadedModel.open(config().engine().models().resolve("demo@1.tranche")).spec();
    try (var server = start();
        var client = client(server)) {
      Answer.Model only = client.models().models().getFirst();

      assertThat(client.models().models()).hasSize(1);
      assertThat(only)
          .returns("demo@1", Answer.Model::name)
          .returns(spec.session(), Answer.Model::session)
          .returns(spec.frequency(), Answer.Model::frequency)
          .returns(spec.features().fields(), Answer.Model::fields)
          .returns(spec.features().earlierDays(), Answer.Model::earlierDays)
          .returns(spec.ticksPerStep(), Answer.Model::ticksPerStep)
          .returns(spec.maxSteps(), Answer.Model::maxSteps)
          .returns(spec.isQlib(), Answer.Model::isQlib)
          .returns(Map.of(), Answer.Model::sessions)
          .returns(Frictions.NONE, Answer.Model::frictions);
    }
  }

  @Test
  void operatorsLoadRouteSwitchAndDrain() throws Exception {
    try (var server = start();
        var client = client(server)) {
      TrancheClient operator = client.withToken(TOKEN);
      operator.administer(new Request.Load("demo@2"));
      operator.administer(
          new Request.SetRoute(new Route("demo@2", "demo@1", 0.5, List.of("demo@1"))));
      operator.administer(new Request.Switch(Request.Scope.ALL, null, true));
      client.openOrder(TestService.order("x", "A", 1000, "demo@2"));
      assertThat(client.decide(new Request.Decide("x", null, null)).source())
          .isEqualTo(Answer.Source.KILL_SWITCH);
      assertThatThrownBy(() -> operator.administer(new Request.Load("../demo@2")))
          .isInstanceOf(RefusedException.class)
          .hasMessageStartingWith("400: ");
      assertThatThrownBy(() -> operator.administer(new Request.Load("absent")))
          .isInstanceOf(RefusedException.class)
          .hasMessageNotContaining(folder.toString());
      assertThatThrownBy(() -> client.administer(new Request.Load("demo@2")))
          .isInstanceOf(RefusedException.class)
          .hasMessageStartingWith("401: ");

      operator.drain();
      server.http().awaitDrainRequest();
    }
  }

  @Test
  void configurationsAreHeldToTheirRules() {
    assertThatThrownBy(() -> start("http.bind=0.0.0.0", "http.token_file=null"))
        .isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> start("http.limits.body_bytes=0")).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> start("http.prot=1")).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> start("predict.window_micros=-1")).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> start("engine.workers=0")).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> start("engine.limits.slice=-1")).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> start("log=loud")).isInstanceOf(ConfigException.class);
    assertThatThrownBy(
            () ->
                DecisionServerConfig.of(
                    List.of(folder.resolve("none.tranche")),
                    ConfigFiles.parse("test", "{}"),
                    folder))
        .isInstanceOf(CheckpointException.class);
  }

  @Test
  void theCommandsOfTheDocumentWork() throws Exception {
    String text = Files.readString(Shared.root().resolve("docs/serving.md"));
    int from = text.indexOf("```bash\n", text.indexOf("### With curl")) + 8;
    String script = "set -e\n" + text.substring(from, text.indexOf("```", from));
    try (var server = start()) {
      var builder =
          new ProcessBuilder("bash", "-c", script)
              .directory(folder.toFile())
              .redirectErrorStream(true);
      builder.environment().put("SERVICE", server.http().url());
      Process process = builder.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(process.waitFor()).as(said).isZero();
      assertThat(said)
          .contains("\"answer\":\"taken\"", "\"source\":\"", "\"status\":\"cancelled\"")
          .contains("tranche_orders_total 1");
    }
  }

  @Test
  void anotherFileUnderAModelsNameDoesNotDecideForOpenOrders() throws Exception {
    try (var server = start();
        var client = client(server)) {
      client.openOrder(TestService.order("x", "A", 1_000));
      assertThat(server.engine().unready()).isNull();
    }
    TestModels.write(folder.resolve("models"), "demo@1", 77);
    try (var server = start();
        var client = client(server)) {
      assertThat(client.decide(new Request.Decide("x", null, null)).source())
          .isEqualTo(Answer.Source.TWAP);
      assertThat(server.engine().unready()).isEqualTo("model demo@1 of the route is not loaded");
      assertThat(status(server, "/ready")).isEqualTo(503);
      client.cancel("x");
      assertThat(server.engine().ask(new Request.Load("demo@1")).join())
          .isInstanceOf(Answer.Done.class);
      assertThat(status(server, "/ready")).isEqualTo(200);
    }
  }

  private static int status(DecisionServer server, String path) throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(URI.create(server.http().url() + path)).build();
      return http.send(request, BodyHandlers.discarding()).statusCode();
    }
  }

  @Test
  void aBundleOfAnotherWidthIsRefusedForOpenOrders() throws Exception {
    try (var server = start();
        var client = client(server)) {
      client.openOrder(TestService.order("x", "A", 1_000));
    }
    ServiceConfig own = config().engine();
    var wider =
        ServiceConfig.of(
            own.models(), own.journal(), own.session(), io.tranche.market.Frequency.parse("5min"));

    assertThatThrownBy(() -> Engine.open(wider, Observer.NONE))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected bundles of the market of its open orders, 1min")
        .hasMessageContaining("for order x");
  }

  @Test
  void theKillPortHasOnlySwitches() throws Exception {
    try (var server = start("http.kill_port=0", "http.limits.connections=1")) {
      var kill = URI.create(Objects.requireNonNull(server.killPort()).url());
      try (var main = new TrancheClient(URI.create(server.http().url()));
          var client = new TrancheClient(kill).withToken(ServedModels.TOKEN)) {
        main.openOrder(TestService.order("a", "A", 800)); // takes the only connection
        long began = System.nanoTime();
        client.administer(new Request.Switch(Request.Scope.ALL, null, true));
        assertThat(System.nanoTime() - began).isLessThan(60_000_000_000L);
        assertThat(client.switches().off()).hasSize(1);
        assertThat(main.decide(new Request.Decide("a", null, null)).source())
            .isEqualTo(Answer.Source.KILL_SWITCH);
        client.heartbeat(new Request.Heartbeat("desk", 60));
        assertThatThrownBy(() -> client.order("a")).isInstanceOf(RefusedException.class);
        server.http().requestDrain();
        client.administer(new Request.Switch(Request.Scope.ALL, null, false));
      }
    }
    try (var server = start("http.kill_port=0")) {
      var kill = URI.create(Objects.requireNonNull(server.killPort()).url());
      assertThat(serverTiming(kill)).matches("total;dur=[0-9.]+");
    }
    assertThatThrownBy(() -> start("http.kill_port=70000")).isInstanceOf(ConfigException.class);
  }

  /// Returns what the answer to a switch says about its own time.
  private static String serverTiming(URI kill) throws Exception {
    var request =
        HttpRequest.newBuilder(kill.resolve("/v1/admin/switches"))
            .header("Authorization", "Bearer " + ServedModels.TOKEN)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"scope\": \"all\", \"off\": true}"))
            .build();
    try (var http = HttpClient.newHttpClient()) {
      var answer = http.send(request, BodyHandlers.ofString());
      return answer.headers().firstValue("server-timing").orElse(answer.body());
    }
  }
}
