package io.tranche.cluster;

import io.tranche.config.ConfigException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/// The masters that an address such as `spark://host:7077` or `spark://one:7077,two:7077` names.
final class Masters {

  static final String SCHEME = "spark://";

  private static final int CONNECT_MILLIS = 5_000;

  private Masters() {}

  /// Knocks at each; Spark itself would try for a minute.
  ///
  /// @throws ConfigException if none opens
  static void requireReachable(String address) {
    var complaints = new ArrayList<String>();
    for (InetSocketAddress master : of(address)) {
      try (var socket = new Socket()) {
        socket.connect(master, CONNECT_MILLIS);
        return;
      } catch (UnknownHostException e) {
        complaints.add("no host of that name");
      } catch (IOException e) {
        complaints.add(String.valueOf(e.getMessage()));
      }
    }
    throw new ConfigException(
        "--on",
        "a Spark master that can be reached",
        "%s (%s)".formatted(address, String.join("; ", complaints)));
  }

  /// Whether they are on this machine.
  static boolean areLocal(String address) {
    return address.startsWith(SCHEME)
        && of(address).stream()
            .map(InetSocketAddress::getAddress)
            .allMatch(found -> found != null && found.isLoopbackAddress());
  }

  private static List<InetSocketAddress> of(String address) {
    var masters = new ArrayList<InetSocketAddress>();
    for (String master : address.substring(SCHEME.length()).split(",", -1)) {
      int colon = master.lastIndexOf(':');
      try {
        int port = Integer.parseInt(master.substring(colon + 1));
        masters.add(new InetSocketAddress(master.substring(0, Math.max(0, colon)), port));
      } catch (IllegalArgumentException e) {
        throw new ConfigException("--on", "spark://HOST:PORT", address);
      }
    }
    return masters;
  }
}
