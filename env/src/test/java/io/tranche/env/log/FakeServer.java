package io.tranche.env.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Locale;
import java.util.function.Function;

/// An HTTP server on the loopback address that answers one request per connection.
final class FakeServer implements AutoCloseable {

  /// @param target such as `/api/2.0/mlflow/runs/create`
  record Request(String method, String target, String body) {}

  record Answer(int status, String body) {}

  private final ServerSocket socket;
  private final Thread thread;

  FakeServer(Function<Request, Answer> handler) throws IOException {
    socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    thread = Thread.startVirtualThread(() -> serve(handler));
  }

  URI address() {
    return URI.create("http://localhost:" + socket.getLocalPort() + "/");
  }

  private void serve(Function<Request, Answer> handler) {
    while (!socket.isClosed()) {
      try (Socket connection = socket.accept()) {
        Answer answer = handler.apply(read(connection.getInputStream()));
        byte[] body = answer.body().getBytes(UTF_8);
        var out = connection.getOutputStream();
        out.write(
            "HTTP/1.1 %d Answer\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                .formatted(answer.status(), body.length)
                .getBytes(UTF_8));
        out.write(body);
        out.flush();
      } catch (IOException e) {
        // The client has gone, or the server is closed.
      }
    }
  }

  private static Request read(InputStream in) throws IOException {
    String[] first = line(in).split(" ", 3);
    int length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
      }
    }
    return new Request(first[0], first[1], new String(in.readNBytes(length), UTF_8));
  }

  private static String line(InputStream in) throws IOException {
    var line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the request has no end");
      }
      if (c != '\r') {
        line.write(c);
      }
    }
    return line.toString(UTF_8);
  }

  @Override
  public void close() {
    try {
      socket.close();
      thread.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
