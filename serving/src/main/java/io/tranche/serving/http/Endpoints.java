package io.tranche.serving.http;

import static io.tranche.serving.http.Endpoint.Access.ANYBODY;
import static io.tranche.serving.http.Endpoint.Access.CLIENT;
import static io.tranche.serving.http.Endpoint.Access.OPERATOR;
import static io.tranche.serving.http.Endpoint.Body.FRAMES;
import static io.tranche.serving.http.Endpoint.Body.JSON;
import static io.tranche.serving.http.Endpoint.Body.NONE;
import static io.tranche.serving.http.Endpoint.Body.OPTIONAL_JSON;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.http.Endpoint.Access;
import io.tranche.serving.http.Endpoint.Work;
import io.tranche.serving.journal.EventFeed;
import io.tranche.serving.wire.AnswerJson;
import io.tranche.serving.wire.Frames;
import io.tranche.serving.wire.JsonForm;
import io.tranche.serving.wire.MalformedException;
import io.tranche.serving.wire.RequestJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/// The table of all endpoints.
final class Endpoints {

  private static final byte[] OPENAPI = resource("openapi.json");

  private final HttpServer.Backend backend;
  private final PredictWork predict;
  private final HttpLimits limits;
  private final Traffic traffic;
  private final Runnable drain;
  private final List<Endpoint> all;
  private final HttpMetrics counters;

  /// @param drain asks the server to stop
  Endpoints(HttpServer.Backend backend, HttpLimits limits, Traffic traffic, Runnable drain) {
    this(backend, limits, traffic, drain, _ -> true);
  }

  /// @param isServed which endpoints there are
  Endpoints(
      HttpServer.Backend backend,
      HttpLimits limits,
      Traffic traffic,
      Runnable drain,
      Predicate<Endpoint> isServed) {
    this.backend = backend;
    this.predict = new PredictWork(backend.predictions());
    this.limits = limits;
    this.traffic = traffic;
    this.drain = drain;
    this.all = table().stream().filter(isServed).toList();
    this.counters = new HttpMetrics(all);
  }

  List<Endpoint> all() {
    return all;
  }

  HttpMetrics counters() {
    return counters;
  }

  private List<Endpoint> table() {
    return List.of(
        get("/health", ANYBODY, exchange -> say(exchange, "alive")),
        get("/ready", ANYBODY, this::ready),
        get("/metrics", CLIENT, this::metrics),
        get("/openapi.json", CLIENT, exchange -> exchange.respond(HttpExchange.JSON, OPENAPI)),
        post("/v1/frames", FRAMES, this::frames),
        post("/v1/bars", this::bars),
        post("/v1/orders/{id}/decide", OPTIONAL_JSON, ask(Endpoints::decide)),
        post("/v1/orders/{id}/fills", ask(Endpoints::fill)),
        post("/v1/orders", askJson(RequestJson::openOrder)),
        get("/v1/orders", CLIENT, ask(_ -> new Request.ListOrders(null))),
        get("/v1/orders/after/{id}", CLIENT, askById(Request.ListOrders::new)),
        get("/v1/orders/{id}", CLIENT, askById(Request.Look::new)),
        post("/v1/orders/{id}/cancel", NONE, askById(Request.Cancel::new)),
        post("/v1/orders/{id}/amend", ask(Endpoints::amend)),
        post("/v1/orders/{id}/children", ask(Endpoints::report)),
        get("/v1/orders/{id}/children", CLIENT, askById(Request.Inspect::new)),
        get("/v1/unmatched", CLIENT, ask(_ -> new Request.ListUnmatched())),
        get("/v1/limits", CLIENT, ask(_ -> new Request.ListLimits())),
        post("/v1/references", askJson(RequestJson::reference)),
        post("/v1/halts", askJson(RequestJson::halt)),
        post("/v1/heartbeats", askJson(RequestJson::heartbeat)),
        get("/v1/switches", CLIENT, ask(_ -> new Request.ListSwitches())),
        get("/v1/events", CLIENT, this::events),
        get("/v1/events/after/{id}", CLIENT, this::events),
        get("/v1/models", CLIENT, ask(_ -> new Request.ListModels())),
        post("/v1/predict", exchange -> predict.begin(exchange)),
        post("/v1/days", askJson(RequestJson::openDay)),
        post("/v1/days/end", this::endDays),
        admin("switches", askJson(RequestJson::killSwitch)),
        admin("limits", askJson(RequestJson::limits)),
        admin("corrections/fills", askJson(RequestJson::correctFill)),
        admin(
            "corrections/bars",
            ask(exchange -> new Request.CorrectBar(exchange.json(RequestJson::bar)))),
        admin("models/load", askJson(RequestJson::load)),
        admin("models/unload", askJson(RequestJson::unload)),
        admin("route", askJson(RequestJson::route)),
        Endpoint.of(HttpMethod.POST, "/v1/admin/drain", OPERATOR, NONE, this::drain));
  }

  private static Endpoint get(String path, Access access, Work work) {
    return Endpoint.of(HttpMethod.GET, path, access, NONE, work);
  }

  private static Endpoint post(String path, Work work) {
    return post(path, JSON, work);
  }

  private static Endpoint post(String path, Endpoint.Body body, Work work) {
    return Endpoint.of(HttpMethod.POST, path, CLIENT, body, work);
  }

  private static Endpoint admin(String name, Work work) {
    return Endpoint.of(HttpMethod.POST, "/v1/admin/" + name, OPERATOR, JSON, work);
  }

  private Work ask(Function<HttpExchange, Request> request) {
    return exchange -> backend.service().handle(request.apply(exchange), exchange::answer);
  }

  private Work askById(Function<String, Request> request) {
    return ask(exchange -> request.apply(exchange.parameter()));
  }

  private <R extends Request> Work askJson(JsonForm.Shape<R> shape) {
    return ask(exchange -> exchange.json(shape));
  }

  private static Request.Decide decide(HttpExchange exchange) {
    String id = exchange.parameter();
    return exchange.body.length == 0
        ? new Request.Decide(id, null, null)
        : exchange.json((form, of) -> RequestJson.decide(id, form, of));
  }

  private static Request.Fill fill(HttpExchange exchange) {
    return exchange.json((form, of) -> RequestJson.fill(exchange.parameter(), form, of));
  }

  private static Request.Amend amend(HttpExchange exchange) {
    return exchange.json((form, of) -> RequestJson.amend(exchange.parameter(), form, of));
  }

  private static Request.Report report(HttpExchange exchange) {
    return exchange.json((form, of) -> RequestJson.report(exchange.parameter(), form, of));
  }

  /// Ends days. Those of all instruments only for an operator, because all their orders expire.
  private void endDays(HttpExchange exchange) {
    Request.EndDays days = exchange.json(RequestJson::endDays);
    if (days.instrument() == null && !exchange.isOperator) {
      exchange.reject(
          Rejection.of(
              HttpResponseStatus.FORBIDDEN,
              "forbidden",
              "only an operator may end the days of all instruments"));
    } else {
      backend.service().handle(days, exchange::answer);
    }
  }

  /// Streams events after the number in the path or in `Last-Event-ID`, or else from now on.
  private void events(HttpExchange exchange) {
    EventFeed feed = backend.feed();
    if (feed == null) {
      exchange.reject(Rejection.of(Answer.Reason.UNKNOWN, "there are no events"));
      return;
    }
    String text = exchange.hasParameter() ? exchange.parameter() : exchange.lastEventId;
    long newest = feed.durable();
    if (text != null && !text.matches("[0-9]{1,18}")) {
      throw new MalformedException("after", "the number of an event", text);
    }
    long after = text == null ? newest : Long.parseLong(text);
    if (after > newest) {
      exchange.reject(
          Rejection.of(
              Answer.Reason.INVALID,
              "after must be at most %d, the newest event, was %d".formatted(newest, after)));
    } else if (after < feed.floor()) {
      exchange.reject(
          Rejection.of(
              HttpResponseStatus.GONE,
              "gone",
              "after must be at least %d, because older events are not kept, was %d; begin at"
                      .formatted(feed.floor(), after)
                  + " /v1/events, then list the orders"));
    } else if (traffic.openStream()) {
      exchange.stream(new EventStream(feed, exchange.eventForm, after));
    } else {
      exchange.reject(
          Rejection.of(Answer.Reason.OVERLOADED, "there are too many readers of events"));
    }
  }

  private void ready(HttpExchange exchange) {
    if (traffic.isDraining()) {
      exchange.reject(Rejection.DRAINING);
    } else if (backend.isReady().getAsBoolean()) {
      say(exchange, "ready");
    } else {
      exchange.reject(Rejection.of(Answer.Reason.UNAVAILABLE, "the service is not ready"));
    }
  }

  private static void say(HttpExchange exchange, String message) {
    exchange.respond(HttpExchange.JSON, AnswerJson.write(new Answer.Done(message)));
  }

  private void metrics(HttpExchange exchange) {
    var text = new PrometheusText();
    counters.writeTo(text, traffic);
    predict.writeTo(text);
    backend.metrics().accept(text);
    exchange.respond(PrometheusText.TYPE, text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private void drain(HttpExchange exchange) {
    say(exchange, "draining");
    drain.run();
  }

  private void bars(HttpExchange exchange) {
    Object body = exchange.json();
    if (RequestJson.isBatch(body)) {
      all(
          JsonForm.readStrictly(body, RequestJson::bars).bars(),
          answers ->
              exchange.respond(
                  HttpExchange.JSON,
                  JsonForm.write(new AnswerJson.Answers(answers), AnswerJson::answers)));
    } else {
      backend.service().handle(JsonForm.readStrictly(body, RequestJson::bar), exchange::answer);
    }
  }

  private void frames(HttpExchange exchange) {
    all(
        Frames.readRequests(ByteBuffer.wrap(exchange.body), limits.frames()),
        answers -> exchange.respond(Frames.TYPE, Frames.writeAnswers(answers)));
  }

  /// Handles all requests at once, and passes on their answers, in the same order, when the last
  /// one is there.
  private void all(List<? extends Request> requests, Consumer<List<Answer>> answered) {
    Answer[] answers = new Answer[requests.size()];
    if (answers.length == 0) {
      answered.accept(List.of());
    }
    var left = new AtomicInteger(answers.length);
    for (int i = 0; i < answers.length; i++) {
      int index = i;
      backend
          .service()
          .handle(
              requests.get(i),
              answer -> {
                answers[index] = answer;
                if (left.decrementAndGet() == 0) {
                  answered.accept(Arrays.asList(answers));
                }
              });
    }
  }

  private static byte[] resource(String name) {
    try (var in = Endpoints.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
