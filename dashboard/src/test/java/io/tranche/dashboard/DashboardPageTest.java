package io.tranche.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tranche.dashboard.http.WebServer;
import io.tranche.serving.http.Token;
import io.tranche.testkit.Browser;
import io.tranche.testkit.Python;
import io.tranche.testkit.Screenshot;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page in a real browser. Pictures of it are in `dashboard/target/screenshots`.
class DashboardPageTest {

  private static final String TOKEN = "0123456789abcdef-dashboard";

  @TempDir Path folder;

  @Test
  void aReaderSeesWhatTheFilesHold() throws Exception {
    Path run = SampleRuns.run(folder.resolve("alpha"), 1, 80, 40);
    SampleRuns.judge(run, 1_000, 20);
    SampleRuns.run(folder.resolve("beta"), 2, 80, 40);
    SampleRuns.run(folder.resolve(SampleRuns.HOSTILE.replace("/", "")), 3, 40, 12);
    Path broken = SampleRuns.run(folder.resolve("broken"), 4, 40, 8);
    Files.writeString(broken.resolve("config.yml"), "a: [" + SampleRuns.HOSTILE);
    Path half = SampleRuns.run(folder.resolve("half"), 5, 40, 8);
    Files.writeString(half.resolve("metrics.jsonl"), "{\"iteration\":1,\"pa\":1}\nnonsense\n{\"it");
    Path roll = Files.createDirectories(folder.resolve("walk"));
    Files.writeString(
        roll.resolve("roll.csv"),
        """
        window,train_from,train_to,valid_from,valid_to,judged_from,judged_to,checkpoint,orders,days,over_twap_bps,low,high
        1,2024-01-02,2024-03-01,2024-03-04,2024-03-29,2024-04-01,2024-04-26,012.ckpt,400,20,3.5,1.25,5.75
        2,2024-01-30,2024-03-29,2024-04-01,2024-04-26,2024-04-29,2024-05-24,016.ckpt,380,19,-0.5,-2.5,1.5
        """);

    SampleRuns.search(folder.resolve("hunt"));
    SampleRuns.judge(SampleRuns.run(folder.resolve("demo"), 7, 80, 72), 100, 5);
    SampleRuns.run(folder.resolve("gone"), 6, 40, 8);

    try (var service = new SampleService();
        var dashboard = dashboard(folder, service.url())) {
      assertThat(open("open_dashboard.py", dashboard.url(), folder.toString(), TOKEN))
          .contains("all is well");
    }
    Path root = Shared.root();
    assertThat(Screenshot.texts(root.resolve("docs/dashboard.png")))
        .as("dashboard/target/screenshots/dashboard.png belongs into docs")
        .isEqualTo(Screenshot.texts(root.resolve("dashboard/target/screenshots/dashboard.png")))
        .contains("Explore its orders");
  }

  /// Starts the server as a user does, in a process of its own with little memory.
  @Test
  @Tag("full")
  void aHugeRunOpensInASecondAndLittleMemory() throws Exception {
    Path run = SampleRuns.run(folder.resolve("huge"), 1, 100_000, 100_000);
    SampleRuns.judge(run, 1_000_000, 100);
    SampleRuns.run(folder.resolve("small"), 1, 40, 40);

    Process server = DashboardProcess.start(folder);
    try {
      String url = DashboardProcess.url(server);
      assertThat(open("open_huge.py", url, Long.toString(server.pid()))).contains("all is well");
    } finally {
      server.destroy();
      server.waitFor();
    }
  }

  static Dashboard dashboard(Path folder, String service) {
    return Dashboard.start(
        new DashboardConfig(
            folder,
            new WebServer.Settings("127.0.0.1", 0, new Token(TOKEN)),
            URI.create(service),
            "a-token-that-may-read",
            _ -> {},
            defect -> {
              throw new AssertionError(defect);
            }));
  }

  private static String open(String program, String... arguments)
      throws IOException, InterruptedException {
    Path browser = Browser.orSkip();
    Path python = Python.withOrSkip("playwright");
    Path pictures = Files.createDirectories(Shared.root().resolve("dashboard/target/screenshots"));
    Path axe = pictures.resolveSibling("axe.min.js");
    Files.writeString(axe, resource("axe-core-4.14.0/axe.min.js"));
    var all = new ArrayList<String>();
    all.add(browser.toString());
    all.add(axe.toString());
    all.add(pictures.toString());
    all.addAll(List.of(arguments));
    return Python.run(python, Screenshot.PYTHON + resource(program), all.toArray(String[]::new));
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = DashboardPageTest.class.getResourceAsStream(name)) {
      return new String(requireNonNull(in, name).readAllBytes(), UTF_8);
    }
  }

  /// A service that answers what is asked of it, to those who may read.
  private static final class SampleService implements AutoCloseable {

    private static final Map<String, String> ANSWERS =
        Map.of(
            "/metrics",
            """
            tranche_uptime_seconds 100
            tranche_decisions_total{source="model"} 900
            tranche_decisions_total{source="twap"} 100
            tranche_fallbacks_total{reason="deadline"} 60
            tranche_fallbacks_total{reason="model_failed"} 40
            tranche_limited_total 17
            tranche_drift_features{model="m@1"} 0.5
            tranche_drift_alarms_total 2
            tranche_decision_seconds_bucket{le="0.001"} 990
            tranche_decision_seconds_bucket{le="0.01"} 1000
            tranche_decision_seconds_count 1000
            """,
            "/v1/orders",
            """
            {"orders":[
             {"id":"o-1","model":"m@1","status":"open","amount":1000,"remaining":400,"filled":600,"average_price":10.0,"instrument":"A","side":"buy","date":"2024-03-01"},
             {"id":"o-2","model":"m@1","status":"open","amount":1000,"remaining":400,"filled":600,"average_price":10.0,"instrument":"A","side":"buy","date":"2024-03-04"},
             {"id":"o-3","model":"m@2","status":"open","amount":1000,"remaining":400,"filled":600,"average_price":9.99,"instrument":"A","side":"buy","date":"2024-03-01"},
             {"id":"<img src=x onerror=alert(4)>","model":"m@1","status":"open","amount":7,"remaining":7,"filled":0,"average_price":null,"instrument":"B","side":"sell","date":"2024-03-01"}],
             "whole":true}
            """,
            "/v1/orders/o-1/children",
            """
            {"state":{},"children":[{"step":0,"volume":600,"filled":600,"phase":"done","source":"model","limited":null}],"fills":[]}
            """,
            "/v1/switches",
            "{\"off\":[{\"scope\":\"instrument\",\"name\":\"B\"}]}",
            "/v1/limits",
            "{\"limits\":[]}",
            "/v1/models",
            "{\"models\":[{\"name\":\"m@1\",\"max_steps\":8},{\"name\":\"m@2\",\"max_steps\":8}]}");

    private final HttpServer server;

    SampleService() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/",
          exchange -> {
            String token = exchange.getRequestHeaders().getFirst("authorization");
            String answer = ANSWERS.get(exchange.getRequestURI().getPath());
            boolean isReader = Objects.equals(token, "Bearer a-token-that-may-read");
            byte[] body = (answer == null ? "{}" : answer).getBytes(UTF_8);
            exchange.sendResponseHeaders(!isReader ? 401 : answer == null ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
          });
      server.start();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
