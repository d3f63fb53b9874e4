package io.tranche.serving.http;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// A client that sends any bytes and reads what comes back.
final class RawClient implements AutoCloseable {

  record Reply(int status, Map<String, String> headers, String body) {
    String header(String name) {
      return Objects.requireNonNullElse(headers.get(name), "");
    }
  }

  private static final int PATIENCE = 60_000;

  final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  RawClient(HttpServer server) throws IOException {
    this(server, new Socket());
  }

  RawClient(HttpServer server, Socket socket) throws IOException {
    this.socket = socket;
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.address().getPort()),
        PATIENCE);
    socket.setSoTimeout(PATIENCE);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  static String request(String method, String path, String... headers) {
    return "%s %s HTTP/1.1\r\nhost: localhost\r\n%s\r\n"
        .formatted(method, path, String.join("\r\n", headers) + (headers.length > 0 ? "\r\n" : ""));
  }

  static String json(String path, String body, String... headers) {
    String length = "content-length: " + body.getBytes(StandardCharsets.UTF_8).length;
    String more = headers.length > 0 ? "\r\n" + String.join("\r\n", headers) : "";
    return request("POST", path, "content-type: application/json", length + more) + body;
  }

  RawClient send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.UTF_8));
  }

  RawClient send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
    return this;
  }

  Reply ask(String text) throws IOException {
    return send(text).read();
  }

  Reply read() throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    var headers = new LinkedHashMap<String, String>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("within a body");
    }
    return new Reply(status, headers, new String(body, StandardCharsets.UTF_8));
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    for (int each = in.read(); each != '\n'; each = in.read()) {
      if (each < 0) {
        throw new EOFException("within a line");
      }
      if (each != '\r') {
        line.append((char) each);
      }
    }
    return line.toString();
  }

  /// Waits for the server to close the connection; returns whether it did.
  boolean isClosed() throws IOException {
    try {
      while (in.read() >= 0) {}
      return true;
    } catch (SocketException _) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
