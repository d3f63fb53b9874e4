package io.tranche.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// An address that stays the same while the service behind it is replaced by one at another port.
final class Relay implements AutoCloseable {

  private final ServerSocket server;
  private volatile int port;

  Relay(int port) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.port = port;
    Thread.ofVirtual().start(this::accept);
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  void leadTo(int other) {
    port = other;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        Thread.ofVirtual().start(() -> relay(client));
      }
    } catch (IOException _) {
      // closed
    }
  }

  private void relay(Socket client) {
    try (client;
        var service = new Socket(InetAddress.getLoopbackAddress(), port)) {
      Thread back = Thread.ofVirtual().start(() -> pump(service, client));
      pump(client, service);
      back.join();
    } catch (IOException _) {
      // nobody is there: the client hears it by its connection
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void pump(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException _) {
      // one of them is gone, so both are
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
