package io.tranche.serving.http;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Where and how a service listens.
///
/// @param bind an address of this machine; any but loopback needs a token
/// @param port 0 for any free port
/// @param token needed for administrative calls, and for all calls on addresses other than
///   loopback; null disables administrative calls
/// @param tls null for plain HTTP
/// @param threads the number of I/O threads
/// @param drainSeconds how long a stopping server waits for requests under way
/// @param clientToken allows everything but administrative calls; if there is one, clients need it
///   on loopback too
/// @param readToken allows reading
/// @param killPort another port with threads of its own, only for switches and heartbeats; null for
///   none, 0 for any free one
public record HttpConfig(
    String bind,
    int port,
    @Nullable Token token,
    @Nullable Tls tls,
    HttpLimits limits,
    int threads,
    int drainSeconds,
    @Nullable Token clientToken,
    @Nullable Token readToken,
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
    this(bind, port, token, tls, limits, threads, drainSeconds, null, null, null);
  }

  /// PEM files.
  ///
  /// @param certificate with its chain
  /// @param key in PKCS#8, without a password
  public record Tls(Path certificate, Path key) {}

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
    if (token == null && !resolve(bind, port).getAddress().isLoopbackAddress()) {
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
            "kill_port"));
    ConfigNode tls = node.written("tls");
    ConfigNode limits = node.written("limits");
    return new HttpConfig(
        node.textOr("bind", DEFAULT.bind),
        node.intOr("port", DEFAULT.port),
        token(node, "token_file", base),
        tls == null ? null : tls(tls, base),
        limits == null ? HttpLimits.DEFAULT : HttpLimits.from(limits),
        node.intOr("threads", DEFAULT.threads),
        node.intOr("drain_seconds", DEFAULT.drainSeconds),
        token(node, "client_token_file", base),
        token(node, "read_token_file", base),
        node.written("kill_port") == null ? null : (Integer) node.intOr("kill_port", 0));
  }

  private static @Nullable Token token(ConfigNode node, String key, Path base) {
    ConfigNode file = node.written(key);
    return file == null ? null : Token.read(file.asPath(base));
  }

  private static Tls tls(ConfigNode node, Path base) {
    node.rejectUnknown(List.of("certificate", "key"));
    return new Tls(node.required("certificate").asPath(base), node.required("key").asPath(base));
  }

  public HttpConfig withPort(int other) {
    return with(draft -> draft.port = other);
  }

  /// @param clients null if clients on loopback need none
  public HttpConfig withTokens(Token operators, @Nullable Token clients, @Nullable Token readers) {
    return with(
        draft -> {
          draft.token = operators;
          draft.clientToken = clients;
          draft.readToken = readers;
        });
  }

  public HttpConfig withLimits(HttpLimits other) {
    return with(draft -> draft.limits = other);
  }

  public HttpConfig withThreads(int count) {
    return with(draft -> draft.threads = count);
  }

  public HttpConfig withDrainSeconds(int seconds) {
    return with(draft -> draft.drainSeconds = seconds);
  }

  private HttpConfig with(Consumer<Draft> change) {
    var draft = new Draft(this);
    change.accept(draft);
    return draft.toCopy();
  }

  /// A copy under change.
  private static final class Draft {
    final String bind;
    int port;
    @Nullable Token token;
    final @Nullable Tls tls;
    HttpLimits limits;
    int threads;
    int drainSeconds;
    @Nullable Token clientToken;
    @Nullable Token readToken;
    final @Nullable Integer killPort;

    Draft(HttpConfig from) {
      bind = from.bind;
      port = from.port;
      token = from.token;
      tls = from.tls;
      limits = from.limits;
      threads = from.threads;
      drainSeconds = from.drainSeconds;
      clientToken = from.clientToken;
      readToken = from.readToken;
      killPort = from.killPort;
    }

    HttpConfig toCopy() {
      return new HttpConfig(
          bind, port, token, tls, limits, threads, drainSeconds, clientToken, readToken, killPort);
    }
  }

  /// Returns how the kill port listens, or null.
  @Nullable HttpConfig ofKillPort() {
    return killPort == null
        ? null
        : new HttpConfig(bind, killPort, token, tls, limits, 1, 0, clientToken, readToken, null);
  }

  InetSocketAddress address() {
    return resolve(bind, port);
  }

  /// Whether every call needs the token, not only administrative ones.
  boolean isGuarded() {
    return clientToken != null || !address().getAddress().isLoopbackAddress();
  }

  private static InetSocketAddress resolve(String bind, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByName(bind), port);
    } catch (UnknownHostException _) {
      throw new ConfigException("bind", "an address of this machine", "'" + bind + "'");
    }
  }
}
