package io.tranche.serving.http;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import java.util.List;
import java.util.function.Consumer;

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

  public static final HttpLimits DEFAULT =
      new HttpLimits(4 << 20, 256L << 20, 8192, 64, 20_000, 4096, 64, 1024, 300, 10, 10, 64);

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

  /// @param all the largest total size of bodies in memory
  public HttpLimits withBodies(int one, long all) {
    return with(
        draft -> {
          draft.bodyBytes = one;
          draft.bufferedBytes = all;
        });
  }

  public HttpLimits withHeaders(int bytes, int count) {
    return with(
        draft -> {
          draft.headerBytes = bytes;
          draft.headers = count;
        });
  }

  public HttpLimits withConnections(int count) {
    return with(draft -> draft.connections = count);
  }

  /// @param ofOneConnection the largest number of unanswered requests per connection
  public HttpLimits withRequests(int all, int ofOneConnection) {
    return with(
        draft -> {
          draft.inFlight = all;
          draft.pipelined = ofOneConnection;
        });
  }

  public HttpLimits withFrames(int count) {
    return with(draft -> draft.frames = count);
  }

  public HttpLimits withSeconds(int idle, int request, int answer) {
    return with(
        draft -> {
          draft.idleSeconds = idle;
          draft.requestSeconds = request;
          draft.answerSeconds = answer;
        });
  }

  private HttpLimits with(Consumer<Draft> change) {
    var draft = new Draft();
    change.accept(draft);
    return draft.toCopy();
  }

  /// A copy under change.
  private final class Draft {
    int bodyBytes = HttpLimits.this.bodyBytes;
    long bufferedBytes = HttpLimits.this.bufferedBytes;
    int headerBytes = HttpLimits.this.headerBytes;
    int headers = HttpLimits.this.headers;
    int connections = HttpLimits.this.connections;
    int inFlight = HttpLimits.this.inFlight;
    int pipelined = HttpLimits.this.pipelined;
    int frames = HttpLimits.this.frames;
    int idleSeconds = HttpLimits.this.idleSeconds;
    int requestSeconds = HttpLimits.this.requestSeconds;
    int answerSeconds = HttpLimits.this.answerSeconds;

    HttpLimits toCopy() {
      return new HttpLimits(
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
          streams);
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
