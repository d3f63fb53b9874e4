package io.tranche.benchmarks.serving;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// HTTP/1.1 as bytes, reduced to what a generator needs.
final class HttpBytes {

  /// The longest request, in bytes.
  static final int LONGEST = 1 << 17;

  private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);

  /// Where the code is in `HTTP/1.1 200`.
  private static final int STATUS_AT = 9;

  private HttpBytes() {}

  /// Returns a request with a body.
  ///
  /// @param type of the content
  static byte[] post(String path, String type, byte[] body) {
    byte[] head =
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
            .formatted(path, type, body.length)
            .getBytes(StandardCharsets.US_ASCII);
    byte[] whole = new byte[head.length + body.length];
    if (whole.length > LONGEST) {
      throw new IllegalArgumentException(
          "request must have at most %d bytes, was %d".formatted(LONGEST, whole.length));
    }
    System.arraycopy(head, 0, whole, 0, head.length);
    System.arraycopy(body, 0, whole, head.length, body.length);
    return whole;
  }

  /// Returns where the content begins; -1 if the head is incomplete.
  static int headEnd(ByteBuffer in) {
    for (int i = in.position() + 3; i < in.limit(); i++) {
      if (in.get(i) == '\n'
          && in.get(i - 1) == '\r'
          && in.get(i - 2) == '\n'
          && in.get(i - 3) == '\r') {
        return i + 1;
      }
    }
    return -1;
  }

  static int status(ByteBuffer in) {
    return (int) number(in, in.position() + STATUS_AT);
  }

  /// Returns the length of the content, 0 if there is none.
  ///
  /// @param end of the head
  static int contentLength(ByteBuffer in, int end) {
    for (int at = in.position(); at < end - LENGTH.length; at++) {
      if (in.get(at) == '\n' && isLength(in, at + 1)) {
        int value = at + 1 + LENGTH.length;
        while (in.get(value) == ' ') {
          value++;
        }
        return (int) number(in, value);
      }
    }
    return 0;
  }

  private static boolean isLength(ByteBuffer in, int at) {
    for (int i = 0; i < LENGTH.length; i++) {
      int each = in.get(at + i);
      if (each >= 'A' && each <= 'Z') {
        each += 'a' - 'A';
      }
      if (each != LENGTH[i]) {
        return false;
      }
    }
    return true;
  }

  private static long number(ByteBuffer in, int from) {
    long value = 0;
    for (int at = from; in.get(at) >= '0' && in.get(at) <= '9'; at++) {
      value = 10 * value + in.get(at) - '0';
    }
    return value;
  }
}
