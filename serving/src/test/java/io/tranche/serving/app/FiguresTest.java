package io.tranche.serving.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.client.TrancheClient;
import io.tranche.serving.engine.TestService;
import io.tranche.testkit.Shared;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The output of `/metrics` is well-formed, documented and correct.
class FiguresTest {

  @TempDir Path folder;

  private DecisionServer start(String... assignments) throws Exception {
    return DecisionServer.start(ServedModels.config(folder, assignments), _ -> {});
  }

  private static Exposition figures(DecisionServer server) throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      var response =
          http.send(
              HttpRequest.newBuilder(URI.create(server.http().url() + "/metrics")).build(),
              BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(200);
      return Exposition.read(response.body());
    }
  }

  @Test
  void everyFamilyIsDocumentedAndNoOther() throws Exception {
    String text = Files.readString(Shared.root().resolve("docs/serving.md"));
    int from = text.indexOf("### Figures");
    var documented = new TreeSet<String>();
    var names = Pattern.compile("`(tranche_[a-z0-9_]+)`");
    names
        .matcher(text.substring(from, text.indexOf("\n### ", from)))
        .results()
        .forEach(found -> documented.add(found.group(1)));

    try (var server = start()) {
      assertThat(new TreeSet<>(figures(server).families())).isEqualTo(documented);
    }
  }

  @Test
  void theReferencePageHasEveryFamily() throws Exception {
    var documented = new TreeSet<String>();
    Pattern.compile("^\\| `(tranche_[a-z0-9_]+)` \\|", Pattern.MULTILINE)
        .matcher(Files.readString(Shared.root().resolve("docs/reference/metrics.md")))
        .results()
        .forEach(found -> documented.add(found.group(1)));

    try (var server = start()) {
      assertThat(new TreeSet<>(figures(server).families())).isEqualTo(documented);
    }
  }

  @Test
  void theyCountWhatHappens() throws Exception {
    try (var server = start("engine.limits.slice=1")) {
      for (int i = 0; i < 3; i++) {
        // A client each: one that asks again would be counted.
        try (var client = new TrancheClient(URI.create(server.http().url()))) {
          client.openOrder(TestService.order("o" + i, "A", 800));
        }
      }
      for (Request request :
          List.of(
              TestService.bar("A", 209),
              new Request.Decide("o0", null, null),
              new Request.Decide("o1", null, null),
              new Request.Decide("o0", 7, null),
              new Request.Fill("o0", "f", 0.5, 10),
              new Request.Cancel("o0"),
              new Request.Fill("o0", "g", 7, 0.5, 10),
              new Request.OpenDay("A \"\\", TestService.DATE, List.of()),
              new Request.Switch(Request.Scope.INSTRUMENT, "A \"\\", true),
              new Request.Switch(Request.Scope.ALL, null, true),
              new Request.Decide("o2", null, null))) {
        assertThat(server.engine().ask(request).join()).isNotInstanceOf(Answer.Refused.class);
      }

      Exposition figures = figures(server);
      assertThat(figures.value("tranche_orders_total")).isEqualTo(3);
      assertThat(figures.value("tranche_bars_total")).isEqualTo(1);
      assertThat(figures.value("tranche_fills_total")).isEqualTo(1);
      assertThat(figures.value("tranche_late_fills_total")).isEqualTo(1);
      assertThat(figures.value("tranche_repeated_total")).isEqualTo(1);
      assertThat(figures.value("tranche_limited_total")).isEqualTo(2);
      assertThat(figures.value("tranche_decisions_total{source=model}")).isEqualTo(2);
      assertThat(figures.value("tranche_decisions_total{source=kill_switch}")).isEqualTo(1);
      assertThat(figures.value("tranche_decision_seconds_count")).isEqualTo(4);
      assertThat(figures.value("tranche_streams_opened_total")).isEqualTo(1);
      assertThat(figures.value("tranche_streams_shared_total")).isEqualTo(2);
      assertThat(figures.value("tranche_switched_off{scope=all, name=}")).isEqualTo(1);
      assertThat(figures.value("tranche_http_requests_total{endpoint=POST /v1/orders, status=200}"))
          .isEqualTo(3);
    }
  }

  @Test
  void histogramsAddUpWhileTheyGrow() throws Exception {
    try (var server = start();
        var client = new TrancheClient(URI.create(server.http().url()))) {
      var isDone = new AtomicBoolean();
      client.openOrder(TestService.order("o", "A", 800));
      Thread traffic =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!isDone.get()) {
                      server.engine().ask(new Request.Decide("o", 0, null)).join();
                    }
                  });
      for (int i = 0; i < 20; i++) {
        figures(server);
      }
      isDone.set(true);
      traffic.join();
    }
  }

  @Test
  void requestsThatComeTogetherAreEvaluatedTogether() throws Exception {
    // A batch ends when it is full, or after a second.
    try (var server =
            start(
                "predict.window_micros=1000000",
                "predict.max_rows=16",
                "predict.deadline_micros=60000000",
                "http.limits.answer_seconds=60");
        var client = new TrancheClient(URI.create(server.http().url()))) {
      var answers = new ArrayList<CompletableFuture<Void>>();
      for (int i = 0; i < 16; i++) {
        var seen = DecisionServerTest.observation(i);
        answers.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    client.predict(null, List.of(seen), null);
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                },
                task -> Thread.ofPlatform().start(task)));
      }
      answers.forEach(CompletableFuture::join);

      Exposition figures = figures(server);
      assertThat(figures.value("tranche_predict_rows_total")).isEqualTo(16);
      assertThat(figures.value("tranche_predict_batches_total")).isLessThan(16);
    }
  }
}
