package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.measure.Options;
import java.io.IOException;
import java.util.List;

/// A server, or several alike that share the connections, under one kind of load.
final class LoadedServer implements AutoCloseable {

  private static final int CONNECTIONS = 16;
  private static final long PATIENCE_MILLIS = 2_000;

  /// How many requests are under way in a closed run: fewer than lie between a decision and its
  /// fill, so that no fill comes before its child order.
  private static final int UNDER_WAY = 12;

  private static final int TRIES = 5;

  /// The resolution of Linux's CPU clock; anything shorter reads as zero.
  static final double CPU_TICK_SECONDS = 0.01;

  private final Options options;
  private final String name;
  private final List<ServerProcess> servers;
  private final LoadGenerator generator;
  private Requests requests;
  private long next;
  private int windows;

  /// Sends the prelude of the requests, and enough requests for the JIT compiler to finish. The
  /// servers are closed with this object, or if the constructor fails.
  LoadedServer(
      Options options, String name, List<ServerProcess> servers, Requests requests, int warmUp)
      throws IOException {
    this.options = options;
    this.name = name;
    this.servers = List.copyOf(servers);
    this.requests = requests;
    var addresses = servers.stream().map(ServerProcess::address).toList();
    this.generator = new LoadGenerator(addresses, CONNECTIONS, PATIENCE_MILLIS);
    try {
      begin();
      inTurn(warmUp);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /// Brings the servers to the state in which the first request makes sense. Earlier work may still
  /// keep them busy.
  private void begin() throws IOException {
    for (int i = 0; i < TRIES; i++) {
      next = 0;
      int size = requests.preludeSize();
      LoadResult result = generator.runClosed(requests.prelude(), 0, size, UNDER_WAY);
      if (result.wrong() > 0) {
        throw new IllegalStateException(
            "%s: answers must be those of the runtime, was: %s".formatted(name, result));
      }
      if (result.unanswered() == 0) {
        return;
      }
      requests = requests.afresh();
    }
    throw new IllegalStateException("%s must answer, did not".formatted(name));
  }

  /// Opens new connections.
  void reconnect() throws IOException {
    generator.reconnect();
  }

  /// Sends requests as fast as they are answered.
  LoadResult inTurn(int count) throws IOException {
    return inTurn(count, UNDER_WAY);
  }

  /// @param underWay how many may wait for their answers
  LoadResult inTurn(int count, int underWay) throws IOException {
    LoadResult result = generator.runClosed(requests, next, count, underWay);
    next += count;
    return result;
  }

  /// Returns the servers' CPU time per request at a rate, in microseconds.
  double cpuMicros(double rate, double seconds) throws IOException {
    double before = cpuSeconds();
    LoadResult result = at(rate, seconds);
    double spent = Math.max(CPU_TICK_SECONDS, cpuSeconds() - before);
    return 1e6 * spent / result.latency().getTotalCount();
  }

  double cpuSeconds() {
    return servers.stream().mapToDouble(ServerProcess::cpuSeconds).sum();
  }

  /// Offers requests for some seconds.
  LoadResult at(double rate, double seconds) throws IOException {
    int count = (int) Math.max(1, rate * seconds);
    LoadResult result =
        generator.run(requests, next, rate, Arrivals.POISSON.times(count, rate, ++windows));
    next += count;
    options.printf("%s: %s%n", name, result);
    if (result.wrong() + result.unanswered() > 0) {
      requests = requests.afresh();
      begin();
    }
    return result;
  }

  String name() {
    return name;
  }

  List<ServerProcess> servers() {
    return servers;
  }

  @Override
  public void close() throws IOException {
    generator.close();
    for (ServerProcess server : servers) {
      server.close();
    }
  }
}
