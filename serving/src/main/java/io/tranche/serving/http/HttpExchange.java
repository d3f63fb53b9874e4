package io.tranche.serving.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.tranche.serving.Answer;
import io.tranche.serving.wire.AnswerJson;
import io.tranche.serving.wire.EnumNames;
import io.tranche.serving.wire.JsonForm;
import io.tranche.serving.wire.StrictJson;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A request and its answer. Any thread may answer; answers after the first are ignored.
final class HttpExchange {

  static final String JSON = "application/json";

  private final Connection connection;
  private final String id;
  private final @Nullable Endpoint endpoint;
  private final @Nullable String parameter;
  final long began;
  private final boolean keepsAlive;
  private final AtomicBoolean isAnswered = new AtomicBoolean();
  private byte[] body = {};

  /// Whether it counts as under way. Used only by the connection's thread, like `response`.
  boolean counts;

  private @Nullable Response response;

  /// @param endpoint null if the path matches none
  HttpExchange(
      Connection connection,
      String id,
      @Nullable Endpoint endpoint,
      @Nullable String parameter,
      long began,
      boolean keepsAlive) {
    this.connection = connection;
    this.id = id;
    this.endpoint = endpoint;
    this.parameter = parameter;
    this.began = began;
    this.keepsAlive = keepsAlive;
  }

  /// The response to send.
  static final class Response {
    final HttpResponseStatus status;
    final String contentType;
    final byte[] content;

    final Map<String, String> headers;

    private Response(
        HttpResponseStatus status,
        String contentType,
        byte[] content,
        Map<String, String> headers) {
      this.status = status;
      this.contentType = contentType;
      this.content = content;
      this.headers = headers;
    }
  }

  String id() {
    return id;
  }

  @Nullable Endpoint endpoint() {
    return endpoint;
  }

  boolean keepsAlive() {
    return keepsAlive;
  }

  /// Returns the decoded `{id}` of the path.
  String parameter() {
    if (parameter == null) {
      throw new IllegalStateException("path must have a parameter, was without");
    }
    return parameter;
  }

  void received(byte[] bytes) {
    body = bytes;
  }

  byte[] body() {
    return body;
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
      reject(Rejection.of(HttpStatus.of(reason), EnumNames.of(reason), message));
    } else {
      respond(HttpResponseStatus.OK, JSON, AnswerJson.write(answer));
    }
  }

  void reject(Rejection rejection) {
    reject(rejection, Map.of());
  }

  void reject(Rejection rejection, Map<String, String> headers) {
    respond(
        rejection.status(),
        JSON,
        AnswerJson.error(rejection.reason(), rejection.message(), id),
        headers);
  }

  void respond(HttpResponseStatus status, String contentType, byte[] content) {
    respond(status, contentType, content, Map.of());
  }

  private void respond(
      HttpResponseStatus status, String contentType, byte[] content, Map<String, String> headers) {
    if (isAnswered.compareAndSet(false, true)) {
      connection.answered(this, new Response(status, contentType, content, headers));
    }
  }

  /// Answers with `rejection` if there is no other answer by then.
  void rejectAfter(long micros, Rejection rejection) {
    connection.later(() -> reject(rejection), micros);
  }

  boolean isAnswered() {
    return isAnswered.get();
  }

  void ready(Response made) {
    response = made;
  }

  @Nullable Response response() {
    return response;
  }
}
