package io.tranche.serving.http;

import io.tranche.serving.client.TrancheClient;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A server in front of a [MemoryService], on a free port.
final class TestServer implements AutoCloseable {

  static final String TOKEN = "correct-horse-battery-staple";

  final MemoryService service = new MemoryService();
  final List<String> log = new CopyOnWriteArrayList<>();
  final HttpServer http;

  TestServer() {
    this(HttpLimits.DEFAULT);
  }

  TestServer(HttpLimits limits) {
    http =
        HttpServer.start(
            new HttpConfig("127.0.0.1", 0, new Token(TOKEN), null, limits, 1, 60),
            HttpServer.Backend.of(service),
            new ServiceLog(ServiceLog.Level.INFO, log::add));
  }

  TrancheClient client() {
    return new TrancheClient(URI.create(http.url()));
  }

  @Override
  public void close() {
    http.close();
  }
}
