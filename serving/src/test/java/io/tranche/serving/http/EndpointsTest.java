package io.tranche.serving.http;

import static io.tranche.serving.http.RawClient.json;
import static io.tranche.serving.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigFiles;
import io.tranche.serving.Request;
import io.tranche.serving.wire.ClientFrames;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every endpoint, good and bad, as it looks on the wire.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EndpointsTest {

  private static final String BEARER = "authorization: Bearer " + TestServer.TOKEN;
  private static final String ORDER =
      """
      {"id": "%s", "instrument": "SH600000", "date": "2026-03-03", "side": "sell", "amount": 800,
       "start": "2026-03-03T09:30:00", "end": "2026-03-03T14:59:00"}\
      """;

  private TestServer server = new TestServer();

  @BeforeAll
  void open() throws IOException {
    ask(json("/v1/orders", ORDER.formatted("known")));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private RawClient.Reply ask(String text) throws IOException {
    try (var client = new RawClient(server.http)) {
      return client.ask(text);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /v1/orders | {"id":"a","instrument":"A","date":"2026-03-03","side":"buy","amount":8,"start":"2026-03-03T09:30","end":"2026-03-03T15:00"} | {"id":"a","model":"plain@1","status":"working","amount":8.0,"remaining":8.0,"working":0.0,"average_price":null,"next_step":0,"due":true,"filled":0.0,"phase":"pending_new","out":0.0,"instrument":"A","side":"buy","date":"2026-03-03","start":"2026-03-03T09:30","end":"2026-03-03T15:00","account":null}
          /v1/orders/known/decide | {"step":0,"deadline_micros":5000} | {"id":"known","step":0,"volume":100.0,"limit_offset_bps":null,"source":"model","limited":"slice","reference_price":null,"limit_price":null}
          /v1/bars | {"instrument":"A","date":"2026-03-03","time":"2026-03-03T09:30","fields":["close","volume"],"values":[10.5,null]} | {"answer":"taken"}
          /v1/bars | {"bars":[{"instrument":"A","date":"2026-03-03","time":"2026-03-03T09:30","fields":["close"],"values":[10]},{"instrument":"none","date":"2026-03-03","time":"2026-03-03T09:30","fields":["close"],"values":[10]}]} | {"answers":[{"answer":"taken"},{"error":"unknown","message":"there is no such day"}]}
          /v1/bars | {"bars":[]} | {"answers":[]}
          /v1/days | {"instrument":"A","date":"2026-03-03","earlier":[{"date":"2026-03-02","fields":["close"],"bars":[{"time":"2026-03-02T09:30","values":[10.5]}]}]} | {"instrument":"A"}
          /v1/days/end | {"up_to":"2026-03-03"} | {"message":"ended 2026-03-03"}
          /v1/admin/switches | {"scope":"model","name":"plain@1","off":true} | {"message":"switched MODEL"}
          /v1/admin/switches | {"scope":"all","off":false} | {"message":"switched ALL"}
          /v1/admin/models/load | {"model":"plain@2"} | {"message":"loaded plain@2"}
          /v1/admin/models/unload | {"model":"plain@2"} | {"message":"unloaded plain@2"}
          /v1/admin/route | {"model":"plain@1","canary":"plain@2","canary_share":0.1,"shadows":["plain@3"]} | {"message":"routed to plain@1"}
          """)
  void answersWhatIsWellAsked(String path, String body, String answer) throws IOException {
    RawClient.Reply reply = ask(json(path, body, BEARER));

    assertThat(reply.body()).isEqualTo(answer);
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type")).isEqualTo("application/json");
  }

  @Test
  void anOrderIsFilledLookedAtAndCancelled() throws IOException {
    ask(json("/v1/orders", ORDER.formatted("x")));

    var filled = ask(json("/v1/orders/x/fills", "{\"fill_id\":\"1\",\"volume\":50,\"price\":9.5}"));
    var looked = ask(request("GET", "/v1/orders/x"));
    var cancelled = ask(request("POST", "/v1/orders/x/cancel"));

    assertThat(filled.body()).contains("\"remaining\":750.0", "\"average_price\":9.5");
    assertThat(looked.body()).isEqualTo(filled.body());
    assertThat(cancelled.body()).contains("\"status\":\"cancelled\"", "\"due\":false");
  }

  @Test
  void anIdMayHaveAnyVisibleCharacter() throws IOException {
    ask(json("/v1/orders", ORDER.formatted("a/b +ü%")));

    var looked = ask(request("GET", "/v1/orders/a%2Fb%20+%C3%BC%25"));

    assertThat(looked.body()).startsWith("{\"id\":\"a/b +ü%\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /v1/orders/nobody/decide | {} | 404 | unknown
          /v1/orders/known/decide | {"step":5} | 409 | not_due
          /v1/orders/known/fills | {"fill_id":"1","volume":900,"price":9.5} | 422 | invalid
          /v1/orders | {"id":"known","instrument":"A","date":"2026-03-03","side":"buy","amount":8,"start":"2026-03-03T09:30","end":"2026-03-03T15:00"} | 409 | conflict
          /v1/bars | {"instrument":"busy","date":"2026-03-03","time":"2026-03-03T09:30","fields":[],"values":[]} | 429 | overloaded
          /v1/bars | {"instrument":"full","date":"2026-03-03","time":"2026-03-03T09:30","fields":[],"values":[]} | 503 | unavailable
          /v1/bars | {"instrument":"broken","date":"2026-03-03","time":"2026-03-03T09:30","fields":[],"values":[]} | 500 | internal
          /v1/predict | {"observation":{"data_processed":[[1]],"data_processed_prev":[[1]],"acquiring":0,"cur_tick":0,"cur_step":0,"num_step":1,"target":1,"position":1,"position_history":[1]}} | 404 | unknown
          """)
  void whatTheServiceRefusesHasItsStatus(String path, String body, int status, String reason)
      throws IOException {
    RawClient.Reply reply = ask(json(path, body, "x-request-id: mine-7"));

    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.body()).startsWith("{\"error\":\"" + reason + "\",\"message\":\"");
    assertThat(reply.body()).endsWith("\"request\":\"mine-7\"}").doesNotContain("passwd", "java");
    assertThat(reply.header("x-request-id")).isEqualTo("mine-7");
    assertThat(reply.header("retry-after")).isEqualTo(status == 429 || status == 503 ? "1" : "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /v1/orders/known/fills | {"fill_id":"1","volume":1,"price":9,"more":1} | more: expected a known key, was unknown
          /v1/orders/known/fills | {"fill_id":"1","volume":1,"volume":2,"price":9} | body: expected JSON without duplicate keys and NaN, was something else at byte 34
          /v1/orders/known/fills | {"fill_id":"1","volume":NaN,"price":9} | body: expected JSON without duplicate keys and NaN, was something else at byte 27
          /v1/orders/known/fills | {"fill_id":"1","volume":1e999,"price":9} | body: expected finite numbers, was Infinity
          /v1/orders/known/fills | {"fill_id":"1","volume":"1","price":9} | volume: expected a number, was '1'
          /v1/orders/known/fills | {"fill_id":1,"volume":1,"price":9} | fill_id: expected a text of 1 to 200 characters without control characters, was 1
          /v1/orders/known/fills | {"fill_id":"","volume":1,"price":9} | fill_id: expected a text of 1 to 200 characters without control characters, was ''
          /v1/orders/known/fills | {"fill_id":"1","price":9} | volume: expected a value, was missing
          /v1/orders/known/fills | [1,2] | body: expected an object, was a list of numbers
          /v1/orders/known/fills | {"fill_id":"1","volume":1,"price":9} x | body: expected JSON without duplicate keys and NaN, was something else at byte 37
          /v1/orders/known/fills | {"fill_id":"1","volume":1,"price":9}{} | body: expected one JSON value, was more
          /v1/orders/known/fills | [[[[[[[[[[1]]]]]]]]]] | body: expected JSON of depth 8, texts of 4096 and numbers of 40 characters at most, was more
          /v1/orders/known/decide | {"step":-1} | step: expected a whole number in [0, 1000000], was -1
          /v1/orders/known/decide | {"step":1.5} | step: expected a whole number in [0, 1000000], was 1.5
          /v1/orders/known/decide | {"deadline_micros":99999999999} | deadline_micros: expected a whole number in [1, 60000000], was 99999999999
          /v1/bars | {"instrument":"A","date":"2026-02-30","time":"2026-03-03T09:30","fields":[],"values":[]} | date: expected a date such as 2026-01-31, was '2026-02-30'
          /v1/bars | {"instrument":"A","date":"2026-03-03","time":"09:30","fields":[],"values":[]} | time: expected a local time such as 2026-01-31T09:30:00, was '09:30'
          /v1/bars | {"instrument":"A","date":"2026-03-03","time":"2026-03-03T09:30","fields":["close"],"values":[]} | values: expected 1 numbers, one per field, was a list of numbers
          /v1/bars | {"instrument":"A","date":"2026-03-03","time":"2026-03-03T09:30","fields":["close"],"values":[1e40]} | values[0]: expected a number of single precision, was 1.0E40
          /v1/orders | {"id":"b","instrument":"A","date":"2026-03-03","side":"short","amount":8,"start":"2026-03-03T09:30","end":"2026-03-03T15:00"} | side: expected one of [sell, buy], was 'short'
          /v1/admin/models/load | {"model":"../../etc/passwd"} | model: expected name@version of letters, digits, '_', '.' and '-', was '../../etc/passwd'
          /v1/admin/models/load | {"model":"http://evil/model"} | model: expected name@version of letters, digits, '_', '.' and '-', was 'http://evil/model'
          /v1/admin/switches | {"scope":"all","name":"x","off":true} | name: expected a name only for a model, an instrument or an account, was 'x'
          /v1/admin/route | {"model":"plain@1","canary_share":2} | canary_share: expected a number in [0, 1], was 2
          /v1/predict | {"observations":[]} | observations: expected at least one, was a list of numbers
          /v1/predict | {"observation":{"data_processed":[[1],[1,2]]}} | observation.data_processed[1]: expected 1 numbers, was a list of numbers
          """)
  void whatIsMalformedIsNamed(String path, String body, String message) throws IOException {
    RawClient.Reply reply = ask(json(path, body, BEARER));

    assertThat(reply.body()).contains("\"message\":\"" + message + "\"");
    assertThat(reply.body()).startsWith("{\"error\":\"malformed\"");
    assertThat(reply.status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/v1",
        "/v1/orders/",
        "/v1/orders/a/b/c",
        "/v2/orders",
        "/v1/../v1/orders/known",
        "//health",
        "/health/",
        "/%2e%2e/etc/passwd",
        "/v1/orders/..%2f..%2fetc%2fpasswd/x/y"
      })
  void thereIsNothingBesidesTheEndpoints(String path) throws IOException {
    assertThat(ask(request("GET", path)).status()).isIn(404, 400, 405);
  }

  @Test
  void traversalIsAnIdLikeAnyOther() throws IOException {
    RawClient.Reply reply = ask(request("GET", "/v1/orders/..%2F..%2Fetc%2Fpasswd"));

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.body()).contains("there is no such order");
  }

  @Test
  void anotherMethodIsNotAllowed() throws IOException {
    RawClient.Reply reply = ask(request("DELETE", "/v1/orders/known"));

    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.header("allow")).isEqualTo("GET");
  }

  @Test
  void bodiesMustBeAnnouncedAsWhatTheyAre() throws IOException {
    assertThat(ask(request("POST", "/v1/bars", "content-length: 2") + "{}").status())
        .isEqualTo(415);
    assertThat(ask(request("POST", "/v1/bars", "content-type: application/json")).status())
        .isEqualTo(411);
    assertThat(ask(json("/v1/bars", "{}", "content-encoding: gzip")).status()).isEqualTo(415);
    assertThat(ask(json("/v1/bars", "")).status()).isEqualTo(400);
    assertThat(ask(request("GET", "/health", "content-length: 2") + "{}").status()).isEqualTo(400);
    assertThat(ask(json("/v1/frames", "{}")).status()).isEqualTo(415);
  }

  @Test
  void batchesAreBounded() throws IOException {
    String bar =
        """
        {"instrument":"A","date":"2026-03-03","time":"2026-03-03T09:30","fields":[],"values":[]}\
        """;
    String bars = "{\"bars\":[" + (bar + ",").repeat(10_000) + bar + "]}";
    byte[] frame = ClientFrames.writeRequests(List.of(new Request.Decide("x", null, null)));
    byte[] frames = new byte[frame.length * (HttpLimits.DEFAULT.frames() + 1)];
    for (int i = 0; i < frames.length; i++) {
      frames[i] = frame[i % frame.length];
    }

    assertThat(ask(json("/v1/bars", bars)).body()).contains("malformed", "10000");
    try (var client = new RawClient(server.http)) {
      client.send(
          request(
              "POST",
              "/v1/frames",
              "content-type: application/x-tranche",
              "content-length: " + frames.length));
      assertThat(client.send(frames).read().body()).contains("at most 1024 frames");
    }
  }

  @Test
  void onlyWhoeverShowsTheTokenAdministers() throws IOException {
    String body = "{\"model\":\"plain@2\"}";

    var none = ask(json("/v1/admin/models/load", body));
    var wrong = ask(json("/v1/admin/models/load", body, BEARER + "x"));
    var other = ask(json("/v1/admin/models/load", body, "authorization: Basic eDp5"));

    assertThat(none.status()).isEqualTo(401);
    assertThat(none.header("www-authenticate")).isEqualTo("Bearer");
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(wrong.body()).doesNotContain(TestServer.TOKEN);
    assertThat(other.status()).isEqualTo(401);
  }

  @Test
  void aPageUnderAnotherNameIsKeptOut() throws IOException {
    String text = "GET /v1/orders/known HTTP/1.1\r\nhost: evil.example\r\n\r\n";

    assertThat(ask(text).status()).isEqualTo(403);
  }

  @Test
  void strangeRequestIdsAreReplaced() throws IOException {
    var reply = ask(request("GET", "/health", "x-request-id: a b<script>"));

    assertThat(reply.header("x-request-id")).matches("[0-9a-f]{8}-\\d+");
  }

  @Test
  void saysHowItIs() throws IOException {
    assertThat(ask(request("GET", "/health")).body()).isEqualTo("{\"message\":\"alive\"}");
    assertThat(ask(request("GET", "/ready")).body()).isEqualTo("{\"message\":\"ready\"}");
    var metrics = ask(request("GET", "/metrics"));
    assertThat(metrics.header("content-type")).startsWith("text/plain; version=0.0.4");
    assertThat(metrics.body())
        .contains("tranche_http_requests_total{endpoint=\"GET /health\",status=\"200\"} ")
        .contains("tranche_http_request_seconds_bucket{endpoint=\"GET /health\",le=\"+Inf\"} ");
  }

  @Test
  void defectsAreInTheLogAlone() throws IOException {
    String body =
        """
        {"instrument":"broken","date":"2026-03-03","time":"2026-03-03T09:30","fields":[],"values":[]}\
        """;

    ask(json("/v1/bars", body, "x-request-id: find-me"));

    assertThat(server.log)
        .anyMatch(line -> line.contains("\"request\":\"find-me\"") && line.contains("passwd"));
  }

  @Test
  void changingOneLimitKeepsTheOthers() {
    HttpLimits limits = HttpLimits.from(ConfigFiles.parse("test", "{streams: 5, headers: 7}"));

    assertThat(limits.withFrames(3).withConnections(9))
        .isEqualTo(
            HttpLimits.from(
                ConfigFiles.parse("test", "{streams: 5, headers: 7, frames: 3, connections: 9}")));
  }
}
