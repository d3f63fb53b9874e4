package io.tranche.benchmarks.serving;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/// Sends requests at their scheduled times over kept connections and receives the answers, all on
/// the caller's thread. Whatever a server does, the next request leaves on schedule, and latency
/// counts from there: a stall shows in every request that was due meanwhile.
final class LoadGenerator implements AutoCloseable {

  /// How long it sleeps when there is nothing to do; Linux makes some 60 microseconds of it.
  private static final long NAP_NANOS = 10_000;

  /// Longer ones count as this long.
  private static final long LONGEST_NANOS = 100_000_000_000L;

  private static final int DIGITS = 3;

  private final Selector selector;
  private final List<InetSocketAddress> servers;
  private final int connections;
  private final long patienceNanos;
  private final List<Lane> lanes = new ArrayList<>();

  /// @param servers between which the connections are shared out
  /// @param patienceMillis how long after the last request the answers are waited for
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
      disconnect(); // late answers are nobody's
      connect();
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
}
