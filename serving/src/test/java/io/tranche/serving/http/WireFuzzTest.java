package io.tranche.serving.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Request;
import io.tranche.serving.wire.ClientFrames;
import io.tranche.serving.wire.Frames;
import io.tranche.serving.wire.JsonForm;
import io.tranche.serving.wire.MalformedException;
import io.tranche.serving.wire.PredictJson;
import io.tranche.serving.wire.RequestJson;
import io.tranche.serving.wire.StrictJson;
import io.tranche.testkit.Cases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Any bytes are either a request or malformed; nothing else can happen.
class WireFuzzTest {

  private static final int COUNT = Cases.count(1_000, 100_000);

  private static final List<String> BODIES =
      List.of(
          """
          {"id":"a","instrument":"A","date":"2026-03-03","side":"buy","amount":8,"start":"2026-03-03T09:30","end":"2026-03-03T15:00","model":"m@1"}\
          """,
          """
          {"bars":[{"instrument":"A","date":"2026-03-03","time":"2026-03-03T09:30","fields":["close","volume"],"values":[10.25,null]}]}\
          """,
          """
          {"instrument":"A","date":"2026-03-03","earlier":[{"date":"2026-03-02","fields":["close"],"bars":[{"time":"2026-03-02T09:30","values":[10.5]}]}]}\
          """,
          """
          {"step":3,"deadline_micros":5000}\
          """,
          """
          {"fill_id":"1","volume":1.5e2,"price":-9.25}\
          """,
          """
          {"model":"a","canary":"b","canary_share":0.25,"shadows":["c","d"]}\
          """,
          """
          {"scope":"instrument","name":"A","off":true}\
          """,
          """
          {"observations":[{"data_processed":[[1,2],[3,4]],"data_processed_prev":[[1,2],[3,4]],"acquiring":0,"cur_tick":1,"cur_step":0,"num_step":2,"target":5,"position":5,"position_history":[5,0]}],"deadline_micros":5}\
          """);

  private static final List<Consumer<Object>> READERS =
      List.of(
          reader(RequestJson::openOrder),
          reader(RequestJson::bars),
          reader(RequestJson::bar),
          reader(RequestJson::openDay),
          reader(RequestJson::endDays),
          WireFuzzTest.<Request.Decide>reader((form, of) -> RequestJson.decide("x", form, of)),
          WireFuzzTest.<Request.Fill>reader((form, of) -> RequestJson.fill("x", form, of)),
          reader(RequestJson::route),
          reader(RequestJson::killSwitch),
          reader(RequestJson::load),
          reader(PredictJson::question));

  private static <E> Consumer<Object> reader(JsonForm.Shape<E> shape) {
    return body -> JsonForm.readStrictly(body, shape);
  }

  private static final byte[] FRAMES =
      ClientFrames.writeRequests(
          List.of(
              new Request.Bar(
                  "A",
                  LocalDate.of(2026, 3, 3),
                  LocalDate.of(2026, 3, 3).atTime(9, 30),
                  List.of("close", "volume"),
                  List.of(10f, Float.NaN)),
              new Request.Decide("order", 3, 5_000L),
              new Request.Fill("order", "fill", 1.5, 10.25)));

  private static byte[] mutate(byte[] original, SplittableRandom random) {
    byte[] bytes = original.clone();
    for (int i = random.nextInt(1, 4); i > 0 && bytes.length > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes = Arrays.copyOf(bytes, at);
        case 3 -> bytes[at] = (byte) "0\",:{}[]-e.9\\nu".charAt(random.nextInt(15));
        default -> {
          byte[] longer = Arrays.copyOf(bytes, bytes.length + 8);
          System.arraycopy(bytes, at, longer, at + 8, bytes.length - at);
          bytes = longer;
        }
      }
    }
    return bytes;
  }

  @Test
  void jsonIsReadOrMalformed() {
    var read = new AtomicInteger();
    var refused = new AtomicInteger();
    Cases.forAll(
        COUNT,
        random -> {
          String body = BODIES.get(random.nextInt(BODIES.size()));
          byte[] bytes = mutate(body.getBytes(StandardCharsets.UTF_8), random);
          Consumer<Object> reader = READERS.get(random.nextInt(READERS.size()));
          try {
            Object value = StrictJson.read(bytes);
            if (value != null) {
              reader.accept(value);
              read.incrementAndGet();
            }
          } catch (MalformedException e) {
            assertThat(e.getMessage()).isNotBlank().doesNotContain("Exception", "tools.jackson");
            refused.incrementAndGet();
          }
        });
    assertThat(read).hasPositiveValue();
    assertThat(refused).hasPositiveValue();
  }

  @Test
  void framesAreReadOrMalformed() {
    var read = new AtomicInteger();
    var refused = new AtomicInteger();
    Cases.forAll(
        COUNT,
        random -> {
          try {
            List<Request> requests =
                Frames.readRequests(ByteBuffer.wrap(mutate(FRAMES, random)), 10);
            byte[] again = ClientFrames.writeRequests(requests);
            assertThat(requests).isNotEmpty();
            assertThat(Frames.readRequests(ByteBuffer.wrap(again), 10)).isEqualTo(requests);
            read.incrementAndGet();
          } catch (MalformedException e) {
            assertThat(e.getMessage()).isNotBlank();
            refused.incrementAndGet();
          }
        });
    assertThat(read).hasPositiveValue();
    assertThat(refused).hasPositiveValue();
  }

  @Test
  void framesAreWrittenAsTheyAreRead() {
    List<Request> requests = Frames.readRequests(ByteBuffer.wrap(FRAMES), 3);

    assertThat(requests).hasSize(3);
    assertThat(ClientFrames.writeRequests(requests)).isEqualTo(FRAMES);
  }

  @Test
  void theServerAnswersWhateverComes() throws IOException {
    try (var server = new TestServer()) {
      var client = new RawClient(server.http);
      for (int i = 0; i < COUNT; i++) {
        var random = new SplittableRandom(i);
        boolean isBinary = random.nextBoolean();
        byte[] body =
            isBinary
                ? mutate(FRAMES, random)
                : mutate(
                    BODIES.get(random.nextInt(BODIES.size())).getBytes(StandardCharsets.UTF_8),
                    random);
        String path =
            isBinary
                ? "/v1/frames"
                : List.of("/v1/bars", "/v1/orders", "/v1/orders/x/fills", "/v1/predict")
                    .get(random.nextInt(4));
        client.send(
            RawClient.request(
                "POST",
                path,
                "content-type: " + (isBinary ? "application/x-tranche" : "application/json"),
                "content-length: " + body.length));
        RawClient.Reply reply = client.send(body).read();
        assertThat(reply.status()).isIn(200, 400, 404, 409, 422);
        if (!isBinary) {
          assertThat(reply.body()).doesNotContain("Exception", "io.tranche", "jackson", "\\tat ");
        }
      }
      client.close();
      assertThat(server.log).noneMatch(line -> line.contains("\"failed\""));
    }
  }

  @Test
  void bytesThatAreNoHttpDoNoHarm() throws IOException {
    try (var server = new TestServer()) {
      byte[] valid = RawClient.json("/v1/orders/x/decide", "{}").getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < Cases.count(200, 5_000); i++) {
        try (var client = new RawClient(server.http)) {
          client.send(mutate(valid, new SplittableRandom(i)));
          client.socket.shutdownOutput();
          client.isClosed();
        }
      }
      try (var client = new RawClient(server.http)) {
        assertThat(client.ask(RawClient.request("GET", "/health")).status()).isEqualTo(200);
      }
      assertThat(server.log).noneMatch(line -> line.contains("\"failed\""));
    }
  }
}
