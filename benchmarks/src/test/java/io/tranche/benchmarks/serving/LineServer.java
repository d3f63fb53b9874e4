package io.tranche.benchmarks.serving;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/// A server that answers one request after the other, as it is told to.
final class LineServer implements AutoCloseable {

  /// Returns all that goes back to a request with this content; nothing for no answer.
  @FunctionalInterface
  interface Answering {
    String answer(String content) throws InterruptedException;
  }

  private final ServerSocket listener;
  private final Answering answering;
  private final boolean isSlowWriter;

  /// @param isSlowWriter whether answers leave byte by byte
  LineServer(boolean isSlowWriter, Answering answering) throws IOException {
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.isSlowWriter = isSlowWriter;
    this.answering = answering;
    Thread.ofPlatform().daemon().start(this::accept);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) listener.getLocalSocketAddress();
  }

  static String ok(String content) {
    return "HTTP/1.1 200 OK\r\nServer: test\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(content.length(), content);
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        Thread.ofPlatform().daemon().start(() -> serve(socket));
      }
    } catch (IOException _) {
      // closed
    }
  }

  private void serve(Socket socket) {
    try (socket;
        InputStream in = new BufferedInputStream(socket.getInputStream())) {
      socket.setTcpNoDelay(true);
      String content = read(in);
      while (content != null) {
        byte[] answer = answering.answer(content).getBytes(ISO_8859_1);
        for (int i = 0; isSlowWriter && i < answer.length; i++) {
          socket.getOutputStream().write(answer[i]);
        }
        if (!isSlowWriter) {
          socket.getOutputStream().write(answer);
        }
        content = read(in);
      }
    } catch (IOException | InterruptedException _) {
      // the client has left
    }
  }

  /// Returns the content of a request; null at the end.
  private static @Nullable String read(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return null;
      }
      head.append((char) next);
    }
    int at = head.indexOf("Content-Length: ") + "Content-Length: ".length();
    int length = Integer.parseInt(head.substring(at, head.indexOf("\r\n", at)));
    return new String(in.readNBytes(length), ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
