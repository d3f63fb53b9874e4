package io.tranche.serving.http;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import java.util.List;

/// Limits on clients. They are checked before anything is buffered.
///
/// @param bodyBytes the largest body of a request
/// @param bufferedBytes the largest total size of all bodies in memory
/// @param headerBytes the largest total size of a request's headers, and of its first line
/// @param headers the largest number of headers
/// @param connections the largest number of connections; more are closed at once
/// @param inFlight the largest number of requests under way; more get 429
/// @param pipelined the largest number of unanswered requests per connection; the next is read only
///   afterwards
/// @param frames the largest number of frames per request
/// @param idleSeconds how long an idle connection stays open
/// @param requestSeconds how long a client may take to send a request, and to read the answer
/// @param answerSeconds when an unanswered request gets 504
/// @param streams the largest number of readers of events; more get 429
public record HttpLimits(
    int bodyBytes,
    long bufferedBytes,
    int headerBytes,
    int headers,
    int connections,
    int inFlight,
    int pipelined,
    int frames,
    int idleSeconds,
    int requestSeconds,
    int answerSeconds,
    int streams) {

  /// With the usual number of readers.
  public HttpLimits(
      int bodyBytes,
      long bufferedBytes,
      int headerBytes,
      int headers,
      int connections,
      int inFlight,
      int pipelined,
      int frames,
      int idleSeconds,
      int requestSeconds,
      int answerSeconds) {
    this(
        bodyBytes,
        bufferedBytes,
        headerBytes,
        headers,
        connections,
        inFlight,
        pipelined,
        frames,
        idleSeconds,
        requestSeconds,
        answerSeconds,
        64);
  }

  public static final HttpLimits DEFAULT =
      new HttpLimits(4 << 20, 256L << 20, 8192, 64, 20_000, 4096, 64, 1024, 300, 10, 10);

  public HttpLimits {
    if (Math.min(bodyBytes, headers) < 1
        || headerBytes < 256
        || bufferedBytes < bodyBytes
        || Math.min(Math.min(connections, inFlight), Math.min(pipelined, frames)) < 1
        || streams < 0
        || Math.min(idleSeconds, Math.min(requestSeconds, answerSeconds)) < 1) {
      throw new IllegalArgumentException(
          "limits must be positive, header_bytes at least 256, buffered_bytes at least body_bytes");
    }
  }

  /// @throws ConfigException if a key is unknown or a value is wrong
  static HttpLimits from(ConfigNode node) {
    node.rejectUnknown(
        List.of(
            "body_bytes",
            "buffered_bytes",
            "header_bytes",
            "headers",
            "connections",
            "in_flight",
            "pipelined",
            "frames",
            "idle_seconds",
            "request_seconds",
            "answer_seconds",
            "streams"));
    HttpLimits or = DEFAULT;
    ConfigNode buffered = node.written("buffered_bytes");
    try {
      return new HttpLimits(
          node.intOr("body_bytes", or.bodyBytes),
          buffered == null ? or.bufferedBytes : buffered.asLong(),
          node.intOr("header_bytes", or.headerBytes),
          node.intOr("headers", or.headers),
          node.intOr("connections", or.connections),
          node.intOr("in_flight", or.inFlight),
          node.intOr("pipelined", or.pipelined),
          node.intOr("frames", or.frames),
          node.intOr("idle_seconds", or.idleSeconds),
          node.intOr("request_seconds", or.requestSeconds),
          node.intOr("answer_seconds", or.answerSeconds),
          node.intOr("streams", or.streams));
    } catch (IllegalArgumentException e) {
      throw node.wrong(String.valueOf(e.getMessage()));
    }
  }
}
