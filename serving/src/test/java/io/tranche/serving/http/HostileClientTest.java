package io.tranche.serving.http;

import static io.tranche.serving.http.RawClient.json;
import static io.tranche.serving.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.serving.Waiting;
import io.tranche.testkit.Cases;
import io.tranche.testkit.Handles;
import io.tranche.testkit.TestProcess;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Clients that are slow, greedy, rude or gone.
class HostileClientTest {

  /// Small buffers, and more time than any test here takes.
  private static final HttpLimits SMALL =
      HttpLimits.DEFAULT
          .withBodies(10_000, 40_000)
          .withHeaders(1024, 16)
          .withConnections(2_000)
          .withRequests(8, 4)
          .withFrames(10)
          .withSeconds(300, 300, 300);

  private static final HttpLimits IMPATIENT = SMALL.withSeconds(2, 1, 2);

  private static void requireAlive(TestServer server) throws IOException {
    try (var client = new RawClient(server.http)) {
      assertThat(client.ask(request("GET", "/health")).status()).isEqualTo(200);
    }
  }

  @Test
  void aBodyThatIsAnnouncedTooLargeIsNotWaitedFor() throws IOException {
    try (var server = new TestServer(SMALL);
        var client = new RawClient(server.http)) {
      var reply =
          client.ask(
              request(
                  "POST", "/v1/bars", "content-type: application/json", "content-length: 10001"));

      assertThat(reply.status()).isEqualTo(413);
      assertThat(reply.header("connection")).isEqualTo("close");
      assertThat(client.isClosed()).isTrue();
      requireAlive(server);
    }
  }

  @Test
  void answersThatNobodyReadsAreBounded() throws Exception {
    int count = 5_000;
    try (var server = new TestServer();
        var greedy = new RawClient(server.http);
        var other = new RawClient(server.http)) {
      String ask = request("GET", "/openapi.json");
      int size = other.ask(ask).body().length();
      Thread sender =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      greedy.send(ask.repeat(count));
                    } catch (IOException _) {
                      // The connection was closed under it.
                    }
                  });
      sender.join(java.time.Duration.ofSeconds(3));
      String metrics = other.ask(request("GET", "/metrics")).body();
      String name = "tranche_http_requests_total{endpoint=\"GET /openapi.json\",status=\"200\"} ";
      int at = metrics.indexOf(name) + name.length();
      long answered = Long.parseLong(metrics.substring(at, metrics.indexOf('\n', at)));

      assertThat(answered * size).isLessThan(32L << 20).isLessThan((long) count * size);
      greedy.socket.close();
      sender.join();
      requireAlive(server);
    }
  }

  @Test
  void tradingCanBeSwitchedOffAboveAllLimits() throws IOException {
    var one = SMALL.withBodies(10_000, 10_000).withRequests(1, 4);
    String off = "{\"scope\":\"all\",\"off\":true}";
    String bearer = "authorization: Bearer " + TestServer.TOKEN;
    try (var server = new TestServer(one);
        var held = new RawClient(server.http);
        var client = new RawClient(server.http)) {
      server.service.hold();
      held.send(json("/v1/orders/x/decide", "{}"));
      Waiting.until(() -> server.service.held() == 1);

      assertThat(client.ask(request("GET", "/v1/orders/x")).status()).isEqualTo(429);
      assertThat(client.ask(json("/v1/admin/switches", off, bearer)).status()).isEqualTo(200);
      server.http.requestDrain();
      assertThat(client.ask(json("/v1/admin/switches", off, bearer)).status()).isEqualTo(200);
      server.service.release();
    }
  }

  @Test
  void chunksAreCountedAsTheyCome() throws IOException {
    try (var server = new TestServer(SMALL);
        var client = new RawClient(server.http)) {
      client.send(
          request(
              "POST", "/v1/bars", "content-type: application/json", "transfer-encoding: chunked"));
      String chunk = "3e8\r\n" + " ".repeat(1000) + "\r\n";
      try {
        for (int i = 0; i < 100_000; i++) {
          client.send(chunk);
        }
      } catch (SocketException _) {
        // Refused while it was still sending.
      }

      assertThat(client.isClosed()).isTrue();
      assertThat(server.http.traffic().buffered()).isZero();
      requireAlive(server);
    }
  }

  @Test
  void aFloodThatStopsGetsItsAnswer() throws IOException {
    try (var server = new TestServer(SMALL);
        var client = new RawClient(server.http)) {
      client.send(
          request(
              "POST", "/v1/bars", "content-type: application/json", "transfer-encoding: chunked"));
      client.send("2af8\r\n" + " ".repeat(11_000) + "\r\n");

      assertThat(client.read().status()).isEqualTo(413);
    }
  }

  @Test
  void allBodiesTogetherAreBounded() throws IOException, InterruptedException {
    try (var server = new TestServer(SMALL)) {
      var clients = new ArrayList<RawClient>();
      for (int i = 0; i < 5; i++) {
        var client = new RawClient(server.http);
        clients.add(client);
        client.send(
            request("POST", "/v1/bars", "content-type: application/json", "content-length: 9999")
                + " ".repeat(9_000));
        int sent = i + 1;
        if (i < 4) {
          Waiting.until(() -> server.http.traffic().buffered() == 9_000L * sent);
        }
      }

      assertThat(clients.getLast().read().status()).isEqualTo(429);
      for (RawClient each : clients) {
        each.close();
      }
      Waiting.until(
          () -> server.http.traffic().buffered() == 0 && server.http.traffic().inFlight() == 0);
    }
  }

  @Test
  void headersAreBounded() throws IOException {
    try (var server = new TestServer(SMALL)) {
      try (var client = new RawClient(server.http)) {
        assertThat(client.ask(request("GET", "/health", "x: " + "a".repeat(2000))).status())
            .isEqualTo(431);
        assertThat(client.isClosed()).isTrue();
      }
      try (var client = new RawClient(server.http)) {
        String[] many = new String[20];
        for (int i = 0; i < many.length; i++) {
          many[i] = "x" + i + ": 1";
        }
        assertThat(client.ask(request("GET", "/health", many)).status()).isEqualTo(431);
      }
      try (var client = new RawClient(server.http)) {
        assertThat(client.ask(request("GET", "/" + "a".repeat(2000))).status()).isEqualTo(414);
      }
      requireAlive(server);
    }
  }

  @Test
  void whatIsNoHttpIsRefused() throws IOException {
    try (var server = new TestServer(SMALL)) {
      for (String text :
          new String[] {
            "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\r\n\r\n",
            "GET /health\r\n\r\n",
            "GET /health HTTP/1.1\r\n\r\n",
            "GET /health HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
            "GET http://evil/health HTTP/1.1\r\nhost: localhost\r\n\r\n",
            json("/v1/bars", "{}", "transfer-encoding: chunked"),
            json("/v1/bars", "{}", "content-length: 3"),
            json("/v1/bars", "{}").replace("content-length: 2", "content-length: -1"),
            "GET /health HTTP/1.1\r\nhost : localhost\r\n\r\n"
          }) {
        try (var client = new RawClient(server.http)) {
          assertThat(client.ask(text).status()).isEqualTo(400);
        }
      }
      requireAlive(server);
    }
  }

  @Test
  void slowClientsAreNotWaitedFor() throws IOException {
    try (var server = new TestServer(IMPATIENT);
        var header = new RawClient(server.http);
        var body = new RawClient(server.http);
        var idle = new RawClient(server.http)) {
      header.send("GET /health HTTP/1.1\r\nho");
      body.send(json("/v1/bars", "{}").replace("content-length: 2", "content-length: 20"));

      assertThat(header.isClosed()).isTrue();
      assertThat(body.read().status()).isEqualTo(408);
      assertThat(body.isClosed()).isTrue();
      assertThat(idle.isClosed()).isTrue();
      requireAlive(server);
    }
  }

  @Test
  void clientsThatDripAreNotWaitedFor() throws Exception {
    try (var server = new TestServer(IMPATIENT)) {
      String head = request("GET", "/health", "x: " + "a".repeat(900));
      String body = json("/v1/bars", " ".repeat(9_000));
      for (String text : List.of(head, body)) {
        try (var client = new RawClient(server.http)) {
          client.send(text.substring(0, text.indexOf(text.equals(head) ? "x: " : " ".repeat(99))));
          // A byte at a time: never idle, and never done.
          assertThatThrownBy(
                  () -> {
                    for (int i = 0; i < 900; i++) {
                      client.send("a");
                      TimeUnit.MILLISECONDS.sleep(50);
                    }
                  })
              .isInstanceOf(SocketException.class);
        }
      }
      Waiting.until(() -> server.http.traffic().connections() == 0);
      assertThat(server.http.traffic().buffered()).isZero();
      requireAlive(server);
    }
  }

  @Test
  void aClientThatVanishesLeavesNothingBehind() throws IOException, InterruptedException {
    try (var server = new TestServer(SMALL)) {
      for (int i = 0; i < 50; i++) {
        try (var client = new RawClient(server.http)) {
          client.send(json("/v1/bars", "{\"a\":1}").substring(0, 50 + i));
        }
      }
      server.service.hold();
      try (var client = new RawClient(server.http)) {
        client.send(json("/v1/orders/x/decide", "{}"));
        Waiting.until(() -> server.service.held() == 1);
      }
      try (var client = new RawClient(server.http)) {
        client.send(json("/v1/orders/x/decide", "{}"));
        Waiting.until(() -> server.service.held() == 2);
        client.socket.setSoLinger(true, 0); // a reset instead of an end
      }
      Waiting.until(() -> server.http.traffic().connections() == 0);
      server.service.release();

      Waiting.until(
          () -> server.http.traffic().inFlight() == 0 && server.http.traffic().buffered() == 0);
      requireAlive(server);
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInTheirOrder() throws IOException {
    try (var server = new TestServer();
        var client = new RawClient(server.http)) {
      var text = new StringBuilder();
      for (int i = 0; i < 500; i++) {
        text.append(
            i % 3 == 0
                ? json("/v1/orders/x/decide", "{}", "x-request-id: r" + i)
                : request("GET", "/health", "x-request-id: r" + i));
      }
      client.send(text.toString());

      for (int i = 0; i < 500; i++) {
        var reply = client.read();
        assertThat(reply.header("x-request-id")).isEqualTo("r" + i);
        assertThat(reply.status()).isEqualTo(i % 3 == 0 ? 404 : 200);
      }
    }
  }

  @Test
  void onlySoManyPipelinedRequestsWait() throws IOException, InterruptedException {
    try (var server = new TestServer(SMALL);
        var client = new RawClient(server.http)) {
      server.service.hold();
      for (int i = 0; i < 20; i++) {
        client.send(json("/v1/orders/x/decide", "{}"));
      }
      Waiting.until(() -> server.service.held() == SMALL.pipelined());
      TimeUnit.MILLISECONDS.sleep(50);
      assertThat(server.service.held()).isEqualTo(SMALL.pipelined());
      server.service.release();

      for (int i = 0; i < 20; i++) {
        assertThat(client.read().status()).isIn(200, 404);
      }
    }
  }

  @Test
  void manyPipelinedRequestsInOnePieceWaitForTheirTurn() throws IOException, InterruptedException {
    try (var server = new TestServer();
        var client = new RawClient(server.http)) {
      server.service.hold();
      client.send(json("/v1/orders/x/decide", "{}").repeat(500));
      Waiting.until(() -> server.service.held() == HttpLimits.DEFAULT.pipelined());
      server.service.release();

      for (int i = 0; i < 500; i++) {
        assertThat(client.read().status()).isIn(200, 404);
      }
    }
  }

  @Test
  void tooMuchAtOnceIsShed() throws IOException, InterruptedException {
    try (var server = new TestServer(SMALL)) {
      server.service.hold();
      var clients = new ArrayList<RawClient>();
      for (int i = 0; i < SMALL.inFlight(); i++) {
        var client = new RawClient(server.http);
        clients.add(client);
        client.send(json("/v1/orders/x/decide", "{}"));
      }
      Waiting.until(() -> server.service.held() == SMALL.inFlight());

      try (var late = new RawClient(server.http)) {
        var reply = late.ask(json("/v1/orders/x/decide", "{}"));
        assertThat(reply.status()).isEqualTo(429);
        assertThat(reply.header("retry-after")).isEqualTo("1");
      }
      server.service.release();
      for (RawClient each : clients) {
        assertThat(each.read().status()).isEqualTo(200);
        each.close();
      }
    }
  }

  @Test
  void aRequestThatNobodyAnswersIsAnswered() throws IOException {
    try (var server = new TestServer(IMPATIENT);
        var client = new RawClient(server.http)) {
      server.service.hold();

      assertThat(client.ask(json("/v1/orders/x/decide", "{}")).status()).isEqualTo(504);
      assertThat(client.ask(request("GET", "/health")).status()).isEqualTo(200);
    }
  }

  @Test
  void aConnectionIsUsedAgainAndAgain() throws IOException {
    try (var server = new TestServer(SMALL);
        var client = new RawClient(server.http)) {
      for (int i = 0; i < 1_000; i++) {
        assertThat(client.ask(request("GET", "/health")).status()).isEqualTo(200);
      }
      assertThat(server.http.traffic().connections()).isEqualTo(1);
    }
  }

  @Test
  void requestsGoOnBesideIdleConnectionsAndMoreThanAllowedAreClosed()
      throws IOException, InterruptedException {
    // The other ends are in another process, so that 10,000 are within what most systems allow.
    int count = Math.min(Cases.count(1_000, 10_000), Handles.left());
    var limits = SMALL.withConnections(count + 1);
    try (var server = new TestServer(limits)) {
      var command = new ArrayList<>(TestProcess.command("serving", IdleClients.class));
      command.add(Integer.toString(server.http.address().getPort()));
      command.add(Integer.toString(count));
      Process idle =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      try {
        Waiting.until(() -> server.http.traffic().connections() == count);

        try (var client = new RawClient(server.http)) {
          for (int i = 0; i < 200; i++) {
            assertThat(client.ask(json("/v1/orders/x/decide", "{}")).status()).isEqualTo(404);
          }
          try (var over = new RawClient(server.http)) {
            assertThat(over.isClosed()).isTrue();
          }
          assertThat(server.http.traffic().connections()).isEqualTo(count + 1);
        }
      } finally {
        idle.destroyForcibly();
      }
      idle.waitFor();
      Waiting.until(() -> server.http.traffic().connections() == 0);
    }
  }

  @Test
  void aDrainFinishesWhatIsUnderWay() throws IOException, InterruptedException {
    try (var server = new TestServer();
        var busy = new RawClient(server.http);
        var idle = new RawClient(server.http);
        var admin = new RawClient(server.http)) {
      server.service.hold();
      idle.ask(request("GET", "/health"));
      busy.send(json("/v1/orders/x/decide", "{}"));
      Waiting.until(() -> server.service.held() == 1);

      var drain =
          admin.ask(
              request("POST", "/v1/admin/drain", "authorization: Bearer " + TestServer.TOKEN));
      assertThat(drain.status()).isEqualTo(200);
      server.http.awaitDrainRequest();
      var refused = idle.ask(json("/v1/orders/x/decide", "{}"));
      var closing = Thread.ofPlatform().start(server.http::close);
      assertThat(closing.isAlive()).isTrue();
      server.service.release();

      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.body()).contains("draining");
      assertThat(busy.read().status()).isEqualTo(200);
      assertThat(busy.isClosed()).isTrue();
      closing.join();
      assertThat(server.log).anyMatch(line -> line.contains("\"event\":\"stopped\""));
    }
  }

  @Test
  void aServerThatStoppedIsGone() throws IOException {
    var server = new TestServer();
    server.close();

    try (var client = new RawClient(server.http)) {
      assertThat(client.isClosed()).isTrue();
    } catch (EOFException | ConnectException _) {
      // As it should be.
    }
  }
}
