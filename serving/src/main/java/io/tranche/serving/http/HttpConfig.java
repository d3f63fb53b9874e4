package io.tranche.serving.http;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where and how a service listens.
///
/// @param bind an address of this machine; any but loopback needs a token
/// @param port 0 for any free port
/// @param users needed for administrative calls, and for all calls on addresses other than
///   loopback, or if there is a client; without an operator, administrative calls are disabled
/// @param tls null for plain HTTP
/// @param threads the number of I/O threads
/// @param drainSeconds how long a stopping server waits for requests under way
/// @param killPort another port with threads of its own, only for switches and heartbeats; null for
///   none, 0 for any free one
public record HttpConfig(
    String bind,
    int port,
    Users users,
    @Nullable Tls tls,
    HttpLimits limits,
    int threads,
    int drainSeconds,
    @Nullable Integer killPort) {

  /// With one token, for operators.
  public HttpConfig(
      String bind,
      int port,
      @Nullable Token token,
      @Nullable Tls tls,
      HttpLimits limits,
      int threads,
      int drainSeconds) {
    this(bind, port, Users.of(token), tls, limits, threads, drainSeconds, null);
  }

  /// PEM files.
  ///
  /// @param certificate with its chain
  /// @param key in PKCS#8, without a password
  /// @param clientAuthority the certificates that sign those of clients, who must then have one; null
  ///   if clients need none
  public record Tls(Path certificate, Path key, @Nullable Path clientAuthority) {

    /// Clients need no certificate.
    public Tls(Path certificate, Path key) {
      this(certificate, key, null);
    }
  }

  public static final HttpConfig DEFAULT =
      new HttpConfig("127.0.0.1", 8700, null, null, HttpLimits.DEFAULT, 2, 30);

  /// @throws ConfigException if the address is not loopback and there is no token
  public HttpConfig {
    if (port < 0 || port > 65_535) {
      throw new ConfigException("port", "a number in [0, 65535]", port);
    }
    if (killPort != null
        && (killPort < 0 || killPort > 65_535 || (killPort != 0 && killPort == port))) {
      throw new ConfigException("kill_port", "a number in [0, 65535], other than port", killPort);
    }
    if (threads < 1 || threads > 256) {
      throw new ConfigException("threads", "a number in [1, 256]", threads);
    }
    if (drainSeconds < 0) {
      throw new ConfigException("drain_seconds", "at least 0", drainSeconds);
    }
    if (!users.has(Users.Role.OPERATOR) && !resolve(bind, port).getAddress().isLoopbackAddress()) {
      throw new ConfigException("token_file", "a token for any address but loopback", "none");
    }
  }

  /// Reads the section `http` of a configuration.
  ///
  /// @param base the folder that relative paths start from
  /// @throws ConfigException if a key is unknown or a value is wrong
  public static HttpConfig from(ConfigNode node, Path base) {
    node.rejectUnknown(
        List.of(
            "bind",
            "port",
            "token_file",
            "tls",
            "limits",
            "threads",
            "drain_seconds",
            "client_token_file",
            "read_token_file",
            "kill_port",
            "users_file"));
    ConfigNode tls = node.written("tls");
    ConfigNode limits = node.written("limits");
    return new HttpConfig(
        node.textOr("bind", DEFAULT.bind),
        node.intOr("port", DEFAULT.port),
        Users.read(
            path(node, "users_file", base),
            path(node, "token_file", base),
            path(node, "client_token_file", base),
            path(node, "read_token_file", base)),
        tls == null ? null : tls(tls, base),
        limits == null ? HttpLimits.DEFAULT : HttpLimits.from(limits),
        node.intOr("threads", DEFAULT.threads),
        node.intOr("drain_seconds", DEFAULT.drainSeconds),
        node.written("kill_port") == null ? null : (Integer) node.intOr("kill_port", 0));
  }

  private static @Nullable Path path(ConfigNode node, String key, Path base) {
    ConfigNode file = node.written(key);
    return file == null ? null : file.asPath(base);
  }

  private static Tls tls(ConfigNode node, Path base) {
    node.rejectUnknown(List.of("certificate", "key", "client_authority"));
    return new Tls(
        node.required("certificate").asPath(base),
        node.required("key").asPath(base),
        path(node, "client_authority", base));
  }

  public HttpConfig withPort(int other) {
    return new HttpConfig(bind, other, users, tls, limits, threads, drainSeconds, killPort);
  }

  public HttpConfig withLimits(HttpLimits other) {
    return new HttpConfig(bind, port, users, tls, other, threads, drainSeconds, killPort);
  }

  public HttpConfig withThreads(int count) {
    return new HttpConfig(bind, port, users, tls, limits, count, drainSeconds, killPort);
  }

  public HttpConfig withDrainSeconds(int seconds) {
    return new HttpConfig(bind, port, users, tls, limits, threads, seconds, killPort);
  }

  /// Returns how the kill port listens, or null.
  @Nullable HttpConfig ofKillPort() {
    return killPort == null
        ? null
        : new HttpConfig(bind, killPort, users, tls, limits, 1, 0, null);
  }

  InetSocketAddress address() {
    return resolve(bind, port);
  }

  /// Whether only this machine can connect.
  public boolean isLoopback() {
    return address().getAddress().isLoopbackAddress();
  }

  private static InetSocketAddress resolve(String bind, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByName(bind), port);
    } catch (UnknownHostException _) {
      throw new ConfigException("bind", "an address of this machine", "'" + bind + "'");
    }
  }
}
