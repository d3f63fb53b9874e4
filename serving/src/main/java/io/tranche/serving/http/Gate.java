package io.tranche.serving.http;

import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.tranche.serving.Answer;
import io.tranche.serving.http.ServiceLog.Level;
import io.tranche.serving.wire.EventForm;
import io.tranche.serving.wire.Frames;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Admits or rejects requests by their headers, and keeps metrics and the log. Any thread may call
/// it.
final class Gate {

  static final String REQUEST_ID = "x-request-id";

  private static final Pattern SANE_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private final HttpConfig config;
  private final List<Endpoint> endpoints;
  private final Traffic traffic;
  private final HttpMetrics metrics;
  private final ServiceLog log;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final String idPrefix = "%08x-".formatted(ThreadLocalRandom.current().nextInt());
  private final AtomicLong ids = new AtomicLong();
  private final Authority authority;
  private final LogBudget refusals = new LogBudget(10);

  Gate(HttpConfig config, Endpoints endpoints, Traffic traffic, ServiceLog log) {
    this.config = config;
    this.endpoints = endpoints.all();
    this.traffic = traffic;
    this.metrics = endpoints.counters();
    this.log = log;
    this.authority = new Authority(config, log);
  }

  HttpLimits limits() {
    return config.limits();
  }

  Traffic traffic() {
    return traffic;
  }

  record Admission(
      @Nullable Endpoint endpoint,
      @Nullable String parameter,
      boolean keepsAlive,
      Users.@Nullable User user,
      @Nullable Rejection rejection,
      EventForm eventForm,
      @Nullable String lastEventId) {

    static Admission refused(
        @Nullable Endpoint endpoint, boolean keepsAlive, @Nullable Rejection rejection) {
      return new Admission(endpoint, null, keepsAlive, null, rejection, EventForm.TEXT, null);
    }
  }

  Admission admit(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return refuse(undecoded(request.decoderResult().cause()), false);
    }
    boolean keepsAlive =
        HttpUtil.isKeepAlive(request) && request.protocolVersion().equals(HttpVersion.HTTP_1_1);
    Rejection strange = strange(request);
    if (strange != null) {
      return refuse(strange, false);
    }
    String uri = request.uri();
    if (!uri.startsWith("/")) {
      return refuse(Rejection.malformed("the path must begin with /"), keepsAlive);
    }
    if (uri.indexOf('?') >= 0) {
      return refuse(Rejection.malformed("query parameters are not supported"), keepsAlive);
    }
    List<String> asked = Endpoint.segments(uri);
    Endpoint endpoint = null;
    String allowed = "";
    for (Endpoint each : endpoints) {
      if (each.matches(asked)) {
        allowed = allowed.isEmpty() ? each.method().name() : allowed + ", " + each.method();
        if (each.method().equals(request.method())) {
          endpoint = each;
          break;
        }
      }
    }
    if (endpoint == null) {
      String rule = "the method must be " + allowed;
      Rejection rejection =
          allowed.isEmpty()
              ? Rejection.of(Answer.Reason.UNKNOWN, "there is no such endpoint")
              : Rejection.of(HttpResponseStatus.METHOD_NOT_ALLOWED, "method", rule)
                  .with("allow", allowed);
      return refuse(rejection, keepsAlive);
    }
    return admit(request, endpoint, asked, keepsAlive);
  }

  private Admission admit(
      HttpRequest request, Endpoint endpoint, List<String> asked, boolean keepsAlive) {
    Users.User user = authority.user(request.headers().get(HttpHeaderNames.AUTHORIZATION));
    Rejection rejection = authority.authorise(user, endpoint);
    if (rejection != null) {
      return Admission.refused(endpoint, keepsAlive, rejection);
    }
    if (traffic.isDraining()
        && endpoint.access() != Endpoint.Access.ANYBODY
        && !endpoint.isUrgent()) {
      return Admission.refused(endpoint, false, Rejection.DRAINING);
    }
    rejection = announced(request, endpoint);
    String parameter = null;
    String sent = endpoint.parameter(asked);
    if (rejection == null && sent != null) {
      parameter = decode(sent);
      if (parameter == null) {
        rejection =
            Rejection.malformed(
                "the path must have an id of 1 to 200 characters without control characters");
      }
    }
    return new Admission(
        endpoint,
        parameter,
        keepsAlive && !Rejection.BODY_TOO_LARGE.equals(rejection),
        user,
        rejection,
        request.headers().get(HttpHeaderNames.ACCEPT, "").contains(Frames.TYPE)
            ? EventForm.COMPACT
            : EventForm.TEXT,
        request.headers().get("last-event-id"));
  }

  private static Admission refuse(Rejection rejection, boolean keepsAlive) {
    return Admission.refused(null, keepsAlive, rejection);
  }

  private static Rejection undecoded(@Nullable Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return Rejection.of(
          HttpResponseStatus.REQUEST_URI_TOO_LONG, "too_large", "the path is too long");
    }
    return cause instanceof TooLongFrameException
        ? Rejection.of(
            HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
            "too_large",
            "the headers are too large")
        : Rejection.malformed("the request is not HTTP/1.1");
  }

  /// Rejects requests that no well-meaning client sends.
  private @Nullable Rejection strange(HttpRequest request) {
    var headers = request.headers();
    if (headers.size() > config.limits().headers()) {
      return Rejection.of(
          HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
          "too_large",
          "there must be at most %d headers".formatted(config.limits().headers()));
    }
    List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
    if (hosts.size() > 1
        || (hosts.isEmpty() && request.protocolVersion().equals(HttpVersion.HTTP_1_1))) {
      return Rejection.malformed("there must be one host header");
    }
    if (headers.contains(HttpHeaderNames.CONTENT_LENGTH)
        && headers.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
      return Rejection.malformed("the length of the body must be given once");
    }
    String refusal =
        BrowserOrigins.refusal(
            hosts.isEmpty() ? null : hosts.getFirst(),
            headers.get(HttpHeaderNames.ORIGIN),
            headers.get("sec-fetch-site"),
            authority.isGuarded());
    return refusal == null
        ? null
        : Rejection.of(HttpResponseStatus.FORBIDDEN, "forbidden", refusal);
  }

  /// Logs a call that was refused because of its token, a few per second at most.
  void refused(HttpExchange exchange, Rejection rejection, String address) {
    boolean isOfToken =
        rejection.status().equals(HttpResponseStatus.UNAUTHORIZED)
            || rejection.status().equals(HttpResponseStatus.FORBIDDEN);
    if (!isOfToken) {
      return;
    }
    int hidden = refusals.count(System.nanoTime());
    if (hidden >= 0) {
      Endpoint endpoint = exchange.endpoint;
      log.tell(
          Level.WARN,
          "refused",
          "request",
          exchange.id,
          "address",
          address,
          "endpoint",
          endpoint == null ? "none" : endpoint.name(),
          "message",
          rejection.message(),
          "not_logged",
          Integer.toString(hidden));
    }
  }

  /// Compares what the headers say about the body with what the endpoint accepts.
  private @Nullable Rejection announced(HttpRequest request, Endpoint endpoint) {
    long length = HttpUtil.getContentLength(request, -1L);
    boolean isChunked = HttpUtil.isTransferEncodingChunked(request);
    if (length > config.limits().bodyBytes()) {
      return Rejection.BODY_TOO_LARGE;
    }
    if (request.headers().contains(HttpHeaderNames.CONTENT_ENCODING)) {
      return Rejection.of(
          HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
          "media_type",
          "the body must not be compressed");
    }
    boolean hasBody = isChunked || length > 0;
    String type = mediaType(request);
    String expected =
        switch (endpoint.body()) {
          case NONE -> "";
          case JSON -> HttpExchange.JSON;
          case OPTIONAL_JSON -> hasBody ? HttpExchange.JSON : "";
          case FRAMES -> Frames.TYPE;
        };
    if (expected.isEmpty()) {
      // The types of forms are those that a page may send anywhere without asking.
      return type.isEmpty() || type.equals(HttpExchange.JSON) || type.equals(Frames.TYPE)
          ? null
          : Rejection.of(
              HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
              "media_type",
              "the content type must be none or " + HttpExchange.JSON);
    }
    if (!isChunked && length < 0 && !request.method().equals(HttpMethod.GET)) {
      return Rejection.of(
          HttpResponseStatus.LENGTH_REQUIRED, "length", "the body must have a length");
    }
    return expected.equals(type)
        ? null
        : Rejection.of(
            HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
            "media_type",
            "the content type must be " + expected);
  }

  private static String mediaType(HttpRequest request) {
    String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
    int parameters = type.indexOf(';');
    return (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
  }

  /// Compares the size of the received body with what the endpoint accepts.
  static @Nullable Rejection checkBody(Endpoint endpoint, int size) {
    boolean isWrong =
        switch (endpoint.body()) {
          case NONE -> size > 0;
          case JSON, FRAMES -> size == 0;
          case OPTIONAL_JSON -> false;
        };
    return isWrong
        ? Rejection.malformed(size > 0 ? "the body must be empty" : "the body must not be empty")
        : null;
  }

  private static @Nullable String decode(String sent) {
    try {
      // In a path, a plus sign stands for itself.
      String text = URLDecoder.decode(sent.replace("+", "%2B"), StandardCharsets.UTF_8);
      boolean isSane =
          !text.isEmpty()
              && text.length() <= 200
              && text.indexOf('\uFFFD') < 0
              && text.chars().noneMatch(Character::isISOControl);
      return isSane ? text : null;
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  /// Returns the request id that the client chose, if it is valid; otherwise a new one.
  String requestId(HttpRequest request) {
    String given = request.headers().get(REQUEST_ID);
    return given != null && SANE_ID.matcher(given).matches()
        ? given
        : idPrefix + ids.incrementAndGet();
  }

  void connected(Connection connection) {
    connections.add(connection);
  }

  void disconnected(Connection connection) {
    connections.remove(connection);
    traffic.disconnect();
  }

  void closeIdle() {
    connections.forEach(Connection::closeIfIdle);
  }

  /// Ends the work on a request.
  void left(HttpExchange exchange) {
    if (exchange.counts) {
      exchange.counts = false;
      traffic.release(exchange.body.length);
      traffic.end();
    }
  }

  void wrote(HttpExchange exchange, int status, long nanos) {
    metrics.answered(exchange, status, nanos);
    Endpoint endpoint = exchange.endpoint;
    boolean isOperator =
        endpoint != null
            && (endpoint.access() == Endpoint.Access.OPERATOR
                || endpoint.access() == Endpoint.Access.RISK);
    Level level = status >= 500 ? Level.WARN : isOperator ? Level.INFO : Level.DEBUG;
    if (log.tells(level)) {
      log.tell(
          level,
          "answered",
          "request",
          exchange.id,
          "endpoint",
          endpoint == null ? "none" : endpoint.name(),
          "status",
          Integer.toString(status),
          "micros",
          Long.toString(nanos / 1000));
    }
  }

  void log(Level level, String event, HttpExchange exchange) {
    log.tell(level, event, "request", exchange.id);
  }

  /// Logs a defect. The client must not see its details.
  void failed(HttpExchange exchange, RuntimeException failure) {
    var trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    log.tell(Level.ERROR, "failed", "request", exchange.id, "trace", trace.toString());
  }
}
