package io.tranche.benchmarks.serving;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/// Sends requests at their scheduled times over kept connections and receives the answers, all on
/// the caller's thread. Whatever a server does, the next request leaves on schedule, and latency
/// counts from the scheduled time: a stall shows in every request that was due during it.
final class LoadGenerator implements AutoCloseable {

  /// How long it sleeps when there is nothing to do; on Linux it takes some 60 microseconds.
  private static final long NAP_NANOS = 10_000;

  /// Longer ones count as this long.
  private static final long LONGEST_NANOS = 100_000_000_000L;

  private static final int DIGITS = 3;

  private final Selector selector;
  private final List<InetSocketAddress> servers;
  private final int connections;
  private final long patienceNanos;
  private final List<Lane> lanes = new ArrayList<>();

  /// @param servers that share the connections
  /// @param patienceMillis how long to wait for answers after the last request
  LoadGenerator(List<InetSocketAddress> servers, int connections, long patienceMillis)
      throws IOException {
    this.selector = Selector.open();
    this.servers = List.copyOf(servers);
    this.connections = connections;
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    connect();
  }

  private void connect() throws IOException {
    for (int i = 0; i < connections; i++) {
      lanes.add(new Lane(servers.get(i % servers.size()), selector));
    }
  }

  /// Opens new connections, because servers close those that were idle while others were measured.
  void reconnect() throws IOException {
    disconnect();
    connect();
  }

  private void disconnect() throws IOException {
    for (Lane lane : lanes) {
      lane.close();
    }
    lanes.clear();
    selector.selectNow();
  }

  /// Sends the requests from `first` on, one at each of `times`.
  ///
  /// @param offered the rate, for the result
  LoadResult run(Requests requests, long first, double offered, long[] times) throws IOException {
    return run(new Run(requests, first, times, Integer.MAX_VALUE), offered);
  }

  /// Sends requests as fast as they are answered, to warm a server up or to bring it to a state.
  ///
  /// @param underWay how many may wait for their answers
  LoadResult runClosed(Requests requests, long first, int count, int underWay) throws IOException {
    return run(new Run(requests, first, new long[count], underWay), 0);
  }

  private LoadResult run(Run run, double offered) throws IOException {
    run.go();
    LoadResult result = run.result(offered);
    if (result.unanswered() > 0) {
      reconnect(); // drops late answers
    }
    return result;
  }

  private final class Run implements Lane.Answered {
    private final Requests requests;
    private final long first;
    private final long[] times;
    private final int mostUnderWay;
    private final long start = System.nanoTime();
    private final Histogram latency = new Histogram(LONGEST_NANOS, DIGITS);
    private final Histogram lateness = new Histogram(LONGEST_NANOS, DIGITS);
    private final long[] verdicts = new long[3];
    private long unanswered;
    private int sent;
    private int answered;
    private long now;
    private long lastAnswer;

    Run(Requests requests, long first, long[] times, int mostUnderWay) {
      this.mostUnderWay = mostUnderWay;
      this.requests = requests;
      this.first = first;
      this.times = times;
    }

    void go() throws IOException {
      // In a closed run each answer restarts the timeout.
      long end = times.length == 0 ? 0 : times[times.length - 1];
      while (answered < times.length && now < Math.max(end, lastAnswer) + patienceNanos) {
        now = System.nanoTime() - start;
        boolean isIdle = !send();
        now = System.nanoTime() - start;
        isIdle &= selector.selectNow(key -> receive((Lane) key.attachment())) == 0;
        if (isIdle) {
          LockSupport.parkNanos(NAP_NANOS);
        }
      }
      for (Lane lane : lanes) {
        lane.forEachAsked(this::miss);
      }
    }

    private boolean send() throws IOException {
      int before = sent;
      while (sent < times.length && times[sent] <= now && sent - answered < mostUnderWay) {
        long number = first + sent;
        lanes.get(requests.lane(number) % lanes.size()).put(requests, number);
        record(lateness, now - times[sent]);
        sent++;
      }
      boolean isSending = sent > before;
      for (Lane lane : lanes) {
        if (lane.hasOutput()) {
          lane.flush();
        }
      }
      return isSending;
    }

    private void receive(Lane lane) {
      try {
        lane.receive(this);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void answered(long number, int status, ByteBuffer body) {
      answered++;
      lastAnswer = now;
      record(latency, now - times[(int) (number - first)]);
      verdicts[
          switch (requests.judge(number, status, body)) {
            case RIGHT -> 0;
            case FALLBACK -> 1;
            case WRONG -> 2;
          }]++;
    }

    private void miss(long number) {
      unanswered++;
      record(latency, now - times[(int) (number - first)]);
    }

    LoadResult result(double offered) {
      double seconds = times.length == 0 ? 0 : Math.max(lastAnswer, times[times.length - 1]) / 1e9;
      return new LoadResult(
          offered,
          seconds == 0 ? 0 : verdicts[0] / seconds,
          verdicts[0],
          verdicts[1],
          verdicts[2],
          unanswered,
          latency,
          lateness);
    }

    private static void record(Histogram histogram, long nanos) {
      histogram.recordValue(Math.clamp(nanos, 0, LONGEST_NANOS));
    }
  }

  @Override
  public void close() throws IOException {
    disconnect();
    selector.close();
  }

  /// One kept connection on which requests are pipelined and answered in order. Used by the
  /// generator's thread only.
  private static final class Lane implements AutoCloseable {

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

    /// Appends a request to the send buffer.
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

    /// Reads the bytes that have arrived.
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
}
