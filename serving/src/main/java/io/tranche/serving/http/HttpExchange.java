package io.tranche.serving.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.tranche.serving.Answer;
import io.tranche.serving.wire.AnswerJson;
import io.tranche.serving.wire.EventForm;
import io.tranche.serving.wire.JsonForm;
import io.tranche.serving.wire.StrictJson;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A request and its answer. Any thread may answer; answers after the first are ignored.
final class HttpExchange {

  static final String JSON = "application/json";

  private final Connection connection;
  final String id;
  final @Nullable Endpoint endpoint; // null if the path matches none
  private final @Nullable String parameter;
  final long began;
  final boolean keepsAlive;
  final Users.@Nullable User user;

  /// How events shall be written, and after which one.
  final EventForm eventForm;

  final @Nullable String lastEventId;
  private final AtomicBoolean isAnswered = new AtomicBoolean();
  byte[] body = {};

  /// Whether it counts as under way. Used only by the connection's thread, like `response`.
  boolean counts;

  @Nullable Response response;

  HttpExchange(Connection connection, String id, Gate.Admission admission, long began) {
    this.connection = connection;
    this.id = id;
    this.endpoint = admission.endpoint();
    this.parameter = admission.parameter();
    this.began = began;
    this.keepsAlive = admission.keepsAlive();
    this.user = admission.user();
    this.eventForm = admission.eventForm();
    this.lastEventId = admission.lastEventId();
  }

  /// The response to send.
  ///
  /// @param stream what follows; null if the content is all
  record Response(
      HttpResponseStatus status,
      String contentType,
      ByteBuf content,
      Map<String, String> headers,
      @Nullable EventStream stream) {

    /// Returns the whole response.
    ///
    /// @param id of the request
    FullHttpResponse message(String id) {
      var message = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, content);
      describe(message.headers(), id);
      message.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
      if (status.equals(HttpResponseStatus.TOO_MANY_REQUESTS)
          || status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
        message.headers().set(HttpHeaderNames.RETRY_AFTER, "1");
      }
      return message;
    }

    /// Returns the head of a response whose content follows as it comes.
    HttpResponse beginning(String id) {
      var message = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
      describe(message.headers(), id);
      return message;
    }

    private void describe(HttpHeaders to, String id) {
      to.set(HttpHeaderNames.CONTENT_TYPE, contentType);
      to.set(Gate.REQUEST_ID, id);
      headers.forEach(to::set);
    }
  }

  /// Returns the decoded `{id}` of the path.
  String parameter() {
    return Objects.requireNonNull(parameter, "only paths with {id} are asked for it");
  }

  boolean hasParameter() {
    return parameter != null;
  }

  /// Returns the JSON of the body, null for an empty one.
  @Nullable Object json() {
    return body.length == 0 ? null : StrictJson.read(body);
  }

  /// Reads the JSON of the body.
  ///
  /// @throws io.tranche.serving.wire.MalformedException if it is not what `shape` describes
  <E> E json(JsonForm.Shape<E> shape) {
    return JsonForm.readStrictly(json(), shape);
  }

  void answer(Answer answer) {
    if (answer instanceof Answer.Refused(var reason, var message)) {
      reject(Rejection.of(reason, message));
    } else {
      respond(JSON, AnswerJson.write(answer));
    }
  }

  void reject(Rejection rejection) {
    byte[] content = AnswerJson.error(rejection.reason(), rejection.message(), id);
    respond(rejection.status(), JSON, content, rejection.headers());
  }

  void respond(String contentType, byte[] content) {
    respond(HttpResponseStatus.OK, contentType, content, Map.of());
  }

  private void respond(
      HttpResponseStatus status, String contentType, byte[] content, Map<String, String> headers) {
    if (isAnswered.compareAndSet(false, true)) {
      connection.answered(
          this, new Response(status, contentType, Unpooled.wrappedBuffer(content), headers, null));
    }
  }

  /// Answers with events, until the reader goes.
  void stream(EventStream stream) {
    if (isAnswered.compareAndSet(false, true)) {
      connection.answered(
          this,
          new Response(
              HttpResponseStatus.OK,
              stream.form().type(),
              Unpooled.EMPTY_BUFFER,
              Map.of("cache-control", "no-store", "connection", "close"),
              stream));
    }
  }

  /// Answers with `rejection` if there is no other answer by then.
  void rejectAfter(long micros, Rejection rejection) {
    connection.later(() -> reject(rejection), micros);
  }

  boolean isOfOperator() {
    return user != null && user.role() == Users.Role.OPERATOR;
  }

  boolean isUrgent() {
    return endpoint != null && endpoint.isUrgent();
  }

  boolean isAnswered() {
    return isAnswered.get();
  }
}
