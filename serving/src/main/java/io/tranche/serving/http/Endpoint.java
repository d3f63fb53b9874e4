package io.tranche.serving.http;

import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An endpoint of the HTTP interface.
///
/// @param path with one `{id}` at most, such as `/v1/orders/{id}/fills`
record Endpoint(
    HttpMethod method, String path, List<String> segments, Access access, Body body, Work work) {

  /// Who may call it.
  enum Access {
    /// Anyone who can connect.
    ANYBODY,
    /// Needs a token, unless the address is loopback and clients have none. Reading needs any
    /// token, changing one of a client or an operator.
    CLIENT,
    /// Always needs a token of risk or an operator.
    RISK,
    /// Always needs a token of an operator.
    OPERATOR
  }

  /// What body a request has.
  enum Body {
    NONE,
    JSON,
    /// JSON or an empty body.
    OPTIONAL_JSON,
    /// The compact form.
    FRAMES
  }

  /// What an endpoint does.
  @FunctionalInterface
  interface Work {

    /// Called by the connection's thread, so it must not block. Answers the exchange now or later.
    ///
    /// @throws io.tranche.serving.wire.MalformedException if the body is malformed
    void begin(HttpExchange exchange);
  }

  /// Whether it is above all limits: trading can be switched off at any time.
  boolean isUrgent() {
    return path.equals("/v1/admin/switches");
  }

  /// Whether the kill port has it.
  boolean isOnKillPort() {
    return isUrgent()
        || path.equals("/v1/switches")
        || path.equals("/v1/heartbeats")
        || path.equals("/health");
  }

  /// Returns method and path, as in `GET /health`.
  String name() {
    return method + " " + path;
  }

  static Endpoint of(HttpMethod method, String path, Access access, Body body, Work work) {
    return new Endpoint(method, path, segments(path), access, body, work);
  }

  static List<String> segments(String path) {
    return List.of(path.substring(1).split("/", -1));
  }

  /// Whether the segments `asked` match this path.
  boolean matches(List<String> asked) {
    if (asked.size() != segments.size()) {
      return false;
    }
    for (int i = 0; i < segments.size(); i++) {
      if (!segments.get(i).startsWith("{") && !segments.get(i).equals(asked.get(i))) {
        return false;
      }
    }
    return true;
  }

  /// Returns the segment at `{id}`, still encoded; null if there is none.
  @Nullable String parameter(List<String> asked) {
    for (int i = 0; i < segments.size(); i++) {
      if (segments.get(i).startsWith("{")) {
        return asked.get(i);
      }
    }
    return null;
  }
}
