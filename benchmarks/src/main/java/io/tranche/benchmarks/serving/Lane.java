package io.tranche.benchmarks.serving;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.function.LongConsumer;

/// One kept connection on which requests are pipelined and answered in order. Used by the
/// generator's thread only.
final class Lane implements AutoCloseable {

  private static final int BUFFER = 1 << 18;

  /// Receives answers.
  @FunctionalInterface
  interface Answered {

    /// @param number of the request
    /// @param body valid only during the call
    void answered(long number, int status, ByteBuffer body);
  }

  private final SocketChannel channel;
  private ByteBuffer out = ByteBuffer.allocateDirect(BUFFER);
  private final ByteBuffer in = ByteBuffer.allocate(BUFFER);

  /// The unanswered requests, a ring whose size is a power of two.
  private long[] asked = new long[1024];

  private int first;
  private int count;

  Lane(InetSocketAddress server, Selector selector) throws IOException {
    channel = SocketChannel.open(server);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, this);
  }

  /// Appends a request to what is to be sent.
  void put(Requests requests, long number) {
    if (out.remaining() < HttpBytes.LONGEST) {
      ByteBuffer larger = ByteBuffer.allocateDirect(2 * out.capacity());
      larger.put(out.flip());
      out = larger;
    }
    requests.write(number, out);
    if (count == asked.length) {
      long[] larger = Arrays.copyOf(asked, 2 * count);
      System.arraycopy(asked, 0, larger, count, first);
      asked = larger;
    }
    asked[(first + count) & (asked.length - 1)] = number;
    count++;
  }

  boolean hasOutput() {
    return out.position() > 0;
  }

  /// Sends as much as the other side takes.
  void flush() throws IOException {
    out.flip();
    channel.write(out);
    out.compact();
  }

  /// Reads what is there.
  void receive(Answered answered) throws IOException {
    int got = channel.read(in);
    if (got < 0) {
      throw new EOFException("the server closed a connection");
    }
    in.flip();
    while (true) {
      int end = HttpBytes.headEnd(in);
      if (end < 0) {
        break;
      }
      int length = HttpBytes.contentLength(in, end);
      if (in.limit() - end < length) {
        break;
      }
      int limit = in.limit();
      int status = HttpBytes.status(in);
      in.limit(end + length).position(end);
      long number = asked[first];
      first = (first + 1) & (asked.length - 1);
      count--;
      answered.answered(number, status, in);
      in.limit(limit).position(end + length);
    }
    in.compact();
  }

  /// Reports every unanswered request.
  void forEachAsked(LongConsumer each) {
    for (int i = 0; i < count; i++) {
      each.accept(asked[(first + i) & (asked.length - 1)]);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
