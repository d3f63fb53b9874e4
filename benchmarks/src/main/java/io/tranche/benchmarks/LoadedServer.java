package io.tranche.benchmarks;

import io.tranche.benchmarks.load.Arrivals;
import io.tranche.benchmarks.load.LoadGenerator;
import io.tranche.benchmarks.load.LoadResult;
import io.tranche.benchmarks.load.Requests;
import java.io.IOException;
import java.util.List;

/// A server, or several alike that share the connections, under one kind of load.
final class LoadedServer implements AutoCloseable {

  private static final int CONNECTIONS = 16;
  private static final long PATIENCE_MILLIS = 2_000;

  /// How many requests are under way while a server is warmed up.
  private static final int WARM_UP = 32;

  private final Options options;
  private final String name;
  private final List<ServerProcess> servers;
  private final LoadGenerator generator;
  private Requests requests;
  private long next;
  private int windows;

  /// Sends the prelude of the requests, and as many requests as it takes for the compiler to be
  /// done.
  LoadedServer(
      Options options, String name, List<ServerProcess> servers, Requests requests, int warmUp)
      throws IOException {
    this.options = options;
    this.name = name;
    this.servers = List.copyOf(servers);
    this.requests = requests;
    this.generator =
        new LoadGenerator(
            servers.stream().map(ServerProcess::address).toList(), CONNECTIONS, PATIENCE_MILLIS);
    begin();
    inTurn(warmUp);
  }

  /// Sends requests as fast as they are answered.
  LoadResult inTurn(int count) throws IOException {
    LoadResult result = generator.runClosed(requests, next, count, WARM_UP);
    next += count;
    return result;
  }

  private void begin() throws IOException {
    next = 0;
    int size = requests.preludeSize();
    if (size > 0) {
      LoadResult result = generator.runClosed(requests.prelude(), 0, size, WARM_UP);
      if (result.wrong() + result.unanswered() > 0) {
        throw new IllegalStateException(
            "%s: answers must be those of the runtime, was: %s".formatted(name, result));
      }
    }
  }

  /// Offers requests for some seconds.
  LoadResult at(double rate, double seconds) throws IOException {
    int count = (int) Math.max(1, rate * seconds);
    LoadResult result =
        generator.run(requests, next, rate, Arrivals.POISSON.times(count, rate, ++windows));
    next += count;
    options.log().printf("%s: %s%n", name, result);
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
