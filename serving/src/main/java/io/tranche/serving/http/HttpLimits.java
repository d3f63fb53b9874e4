package io.tranche.serving.http;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import java.util.List;

/// How much a client may ask for, and how long it may take. All of it is held before anything is
/// buffered.
///
/// @param bodyBytes of one request
/// @param bufferedBytes of all bodies that are being received or worked on
/// @param headerBytes of all headers of one request together, and of its first line
/// @param headers how many of them
/// @param connections more are closed at once
/// @param inFlight requests of all connections that are being worked on; more get 429
/// @param pipelined requests of one connection that may wait for their answers; the next is not
///   read before
/// @param frames of one request in the compact form
/// @param idleSeconds after which a connection without a request is closed
/// @param requestSeconds within which a request must have come, and its answer been taken
/// @param answerSeconds after which a request that nobody answers gets 504
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
    int answerSeconds) {

  public static final HttpLimits DEFAULT =
      new HttpLimits(4 << 20, 256L << 20, 8192, 64, 20_000, 4096, 64, 1024, 300, 10, 10);

  private static final List<String> KEYS =
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
          "answer_seconds");

  public HttpLimits {
    if (Math.min(bodyBytes, headers) < 1
        || headerBytes < 256
        || bufferedBytes < bodyBytes
        || Math.min(Math.min(connections, inFlight), Math.min(pipelined, frames)) < 1
        || Math.min(idleSeconds, Math.min(requestSeconds, answerSeconds)) < 1) {
      throw new IllegalArgumentException(
          "limits must be positive, header_bytes at least 256, buffered_bytes at least body_bytes");
    }
  }

  /// @throws ConfigException if a key is unknown or a value makes no sense
  static HttpLimits from(ConfigNode node) {
    node.rejectUnknown(KEYS);
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
          node.intOr("answer_seconds", or.answerSeconds));
    } catch (IllegalArgumentException e) {
      throw node.wrong(String.valueOf(e.getMessage()));
    }
  }
}
