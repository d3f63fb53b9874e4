package io.tranche.serving.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;

/// A process that connects many times and says nothing.
final class IdleClients {

  private IdleClients() {}

  /// @param args the port, and how many connections
  public static void main(String[] args) throws IOException {
    var address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
    var open = new ArrayList<SocketChannel>();
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      open.add(SocketChannel.open(address));
    }
    while (System.in.read() >= 0) {
      // Until the one who started it ends.
    }
    for (SocketChannel each : open) {
      each.close();
    }
  }
}
