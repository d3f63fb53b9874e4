package io.tranche.serving.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.Waiting;
import io.tranche.serving.client.RefusedException;
import io.tranche.serving.client.TrancheClient;
import io.tranche.serving.engine.TestService;
import io.tranche.serving.journal.EventRow;
import io.tranche.serving.wire.Frames;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The stream of events: in order, once each, resumed from any number, bounded by nobody's
/// patience.
class EventStreamTest {

  @TempDir Path folder;

  private DecisionServer start(String... assignments) throws IOException {
    return DecisionServer.start(ServedModels.config(folder, assignments), _ -> {});
  }

  private static TrancheClient client(DecisionServer server) {
    return new TrancheClient(URI.create(server.http().url()));
  }

  /// Reads until an order is cancelled.
  private static List<EventRow> read(TrancheClient client, @Nullable Long after) throws Exception {
    var rows = new ArrayList<EventRow>();
    client.events(
        after,
        row -> {
          rows.add(row);
          return !row.event().equals("cancelled");
        });
    return rows;
  }

  private static void trade(TrancheClient client, String id) throws Exception {
    client.openOrder(TestService.order(id, "A", 1000));
    client.decide(new Request.Decide(id, null, null));
    client.fill(new Request.Fill(id, "f", 10, 9.5));
    client.cancel(id);
  }

  @Test
  void everyChangeComesOnceAndFromAnyNumber() throws Exception {
    List<EventRow> all;
    try (var server = start();
        var client = client(server)) {
      long before = server.engine().feed().durable();
      trade(client, "x");
      all = read(client, before);

      assertThat(all)
          .extracting(EventRow::event)
          .containsExactly("day_opened", "order_opened", "decided", "filled", "cancelled");
      assertThat(all).extracting(EventRow::sequence).isSorted().doesNotHaveDuplicates();
      assertThat(all.get(3).order()).isEqualTo("x");
      assertThat(all.get(3).volume()).isEqualTo(10);
      assertThat(all.get(3).price()).isEqualTo(9.5);
      assertThat(all.get(3).caller()).startsWith("client@");
      for (int i = 0; i < all.size() - 1; i++) {
        assertThat(read(client, all.get(i).sequence())).isEqualTo(all.subList(i + 1, all.size()));
      }
    }
    try (var server = start();
        var client = client(server)) {
      assertThat(read(client, all.getFirst().sequence()))
          .as("after a restart")
          .isEqualTo(all.subList(1, all.size()));
    }
  }

  @Test
  void whoFollowsSeesWhatComes() throws Exception {
    try (var server = start();
        var client = client(server);
        var other = client(server)) {
      var seen = new ArrayList<EventRow>();
      var done =
          CompletableFuture.runAsync(
              () -> {
                try {
                  seen.addAll(read(other, null));
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              });
      Waiting.until(() -> figure(server, "tranche_http_streams") == 1);
      trade(client, "x");
      done.join();

      assertThat(seen).extracting(EventRow::event).endsWith("decided", "filled", "cancelled");
      Waiting.until(() -> figure(server, "tranche_http_streams") == 0);
    }
  }

  private static double figure(DecisionServer server, String name) {
    try (var client = new Socket(InetAddress.getLoopbackAddress(), port(server))) {
      client
          .getOutputStream()
          .write(
              "GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.UTF_8));
      return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(each -> each.startsWith(name + " "))
          .mapToDouble(each -> Double.parseDouble(each.substring(each.indexOf(' '))))
          .sum();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static int port(DecisionServer server) {
    return server.http().address().getPort();
  }

  @Test
  void numbersThatDoNotExistAreRefused() throws Exception {
    try (var server = start();
        var client = client(server)) {
      assertThatThrownBy(() -> client.events(1_000L, _ -> true))
          .isInstanceOfSatisfying(
              RefusedException.class, e -> assertThat(e.status()).isEqualTo(422));
    }
  }

  @Test
  void tooManyReadersAreRefused() throws Exception {
    try (var server = start("http.limits.streams=0");
        var client = client(server)) {
      assertThatThrownBy(() -> client.events(null, _ -> true))
          .isInstanceOfSatisfying(
              RefusedException.class, e -> assertThat(e.status()).isEqualTo(429));
    }
  }

  @Test
  void aReaderThatDoesNotReadIsDropped() throws Exception {
    try (var server = start("http.limits.request_seconds=1");
        var socket = new Socket()) {
      socket.setReceiveBufferSize(4096);
      socket.connect(server.http().address());
      ask(socket, "/v1/events", "text/event-stream");
      Waiting.until(() -> figure(server, "tranche_http_streams") == 1);
      server.engine().ask(TestService.order("x", "A", 1000)).join();
      boolean isHalted = false;
      for (int round = 0; round < 100 && figure(server, "tranche_http_streams") == 1; round++) {
        var asked = new ArrayList<CompletableFuture<Answer>>();
        for (int i = 0; i < 1000; i++) {
          isHalted = !isHalted;
          asked.add(server.engine().ask(new Request.Halt("A", TestService.DATE, isHalted)));
        }
        asked.forEach(CompletableFuture::join);
      }

      Waiting.until(() -> figure(server, "tranche_http_streams_dropped_total") == 1);
      assertThat(figure(server, "tranche_http_streams")).isZero();
    }
  }

  private static void ask(Socket socket, String path, String form) throws IOException {
    String request = "GET %s HTTP/1.1\r\nhost: localhost\r\naccept: %s\r\n\r\n";
    socket.getOutputStream().write(request.formatted(path, form).getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theCompactFormHasTheSame() throws Exception {
    try (var server = start();
        var client = client(server);
        var socket = new Socket(InetAddress.getLoopbackAddress(), port(server))) {
      long before = server.engine().feed().durable();
      trade(client, "x");
      ask(socket, "/v1/events/after/" + before, Frames.TYPE);
      var in = new DataInputStream(socket.getInputStream());
      var head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.readByte());
      }

      assertThat(head).contains("content-type: " + Frames.TYPE);
      assertThat(in.readByte()).as("position").isEqualTo((byte) 11);
      assertThat(in.readLong()).isEqualTo(before);
      for (EventRow row : read(client, before)) {
        assertThat(in.readByte()).isEqualTo((byte) 10);
        assertThat(in.readLong()).isEqualTo(row.sequence());
        assertThat(in.readLong()).isPositive();
        assertThat(in.readUTF()).isEqualTo(row.caller());
        assertThat(in.readUTF()).isEqualTo(row.event());
        assertThat(in.readUTF()).isEqualTo(row.instrument());
        assertThat(in.readInt()).isEqualTo((int) TestService.DATE.toEpochDay());
        assertThat(in.readUTF()).isEqualTo(Objects.requireNonNullElse(row.order(), ""));
        assertThat(in.readUTF()).isEqualTo(Objects.requireNonNullElse(row.model(), ""));
        assertThat(in.readInt()).isEqualTo(Double.isNaN(row.step()) ? -1 : (int) row.step());
        assertThat(in.readDouble()).isEqualTo((Double) row.volume());
        assertThat(in.readDouble()).isEqualTo((Double) row.price());
        assertThat(in.readUTF()).isEqualTo(row.detail());
      }
    }
  }
}
