package io.tranche.serving.http;

import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something that can be asked for.
///
/// @param path with one `{id}` at most, such as `/v1/orders/{id}/fills`
record Endpoint(
    HttpMethod method, String path, List<String> segments, Access access, Body body, Work work) {

  /// Who may ask.
  enum Access {
    /// Anybody who can connect.
    ANYBODY,
    /// Whoever shows the token, if the address is not loopback.
    CLIENT,
    /// Whoever shows the token.
    OPERATOR
  }

  /// What comes with the request.
  enum Body {
    NONE,
    JSON,
    /// JSON, or nothing at all.
    OPTIONAL_JSON,
    /// The compact form.
    FRAMES
  }

  /// What is done.
  @FunctionalInterface
  interface Work {

    /// Called by the connection's thread, so must not block. Answers the exchange, now or later.
    ///
    /// @throws io.tranche.serving.wire.MalformedException if the body is not what it should be
    void begin(HttpExchange exchange);
  }

  static Endpoint of(HttpMethod method, String path, Access access, Body body, Work work) {
    return new Endpoint(method, path, segments(path), access, body, work);
  }

  static List<String> segments(String path) {
    return List.of(path.substring(1).split("/", -1));
  }

  /// Whether `asked` is this path.
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

  /// Returns what stands for `{id}`, as it was sent; null if there is none.
  @Nullable String parameter(List<String> asked) {
    for (int i = 0; i < segments.size(); i++) {
      if (segments.get(i).startsWith("{")) {
        return asked.get(i);
      }
    }
    return null;
  }
}
