package io.tranche.serving.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.tranche.config.ConfigException;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.Service;
import io.tranche.serving.http.ServiceLog.Level;
import io.tranche.serving.journal.EventFeed;
import io.tranche.serving.predict.Predictions;
import io.tranche.serving.wire.AnswerJson;
import io.tranche.serving.wire.JsonForm;
import io.tranche.serving.wire.RequestJson;
import io.tranche.serving.wire.StrictJson;
import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// A service on HTTP/1.1, from [#start] to [#close], which waits for requests under way.
public final class HttpServer implements AutoCloseable {

  /// What an HTTP server serves.
  ///
  /// @param predictions null for none
  /// @param isReady whether the service accepts orders
  /// @param metrics adds the service's metrics to those of the server
  /// @param feed the service's events; null for none
  public record Backend(
      Service service,
      @Nullable Predictions predictions,
      BooleanSupplier isReady,
      Consumer<PrometheusText> metrics,
      @Nullable EventFeed feed) {

    /// Returns a backend without predictions and metrics.
    public static Backend of(Service service) {
      return new Backend(service, null, () -> true, _ -> {}, null);
    }
  }

  private static final int BACKLOG = 1024;
  private static final int CHUNK_BYTES = 64 << 10;

  /// The size of the shortest request in bytes. It bounds how many requests one chunk can hold, and
  /// so how many are read ahead of those that may wait.
  private static final int SHORTEST_REQUEST = 16;

  private static final long POLL_MILLIS = 10;

  /// The largest number of answers that are held back while more are expected.
  private static final int FLUSH_AT_LEAST = 256;

  private final HttpConfig config;
  private final Traffic traffic;
  private final Gate gate;
  private final ServiceLog log;
  private final EventLoopGroup acceptor;
  private final EventLoopGroup workers;
  private final Channel listener;
  private final CountDownLatch drainWanted = new CountDownLatch(1);

  /// Starts to listen.
  ///
  /// @throws ConfigException if the address is in use or not of this machine, or the certificate is
  ///   invalid
  public static HttpServer start(HttpConfig config, Backend backend, ServiceLog log) {
    return new HttpServer(config, backend, log, _ -> true);
  }

  /// Starts to listen on the kill port, with threads, connections and limits of its own; returns
  /// null if there is none.
  public static @Nullable HttpServer startKillPort(
      HttpConfig config, Backend backend, ServiceLog log) {
    HttpConfig kill = config.ofKillPort();
    if (kill == null) {
      return null;
    }
    rehearse();
    return new HttpServer(kill, backend, log, Endpoint::isOnKillPort);
  }

  /// Reads a switch and writes its answer, so that the first real one need not wait until classes
  /// are loaded.
  private static void rehearse() {
    var all = new Request.Switch(Request.Scope.ALL, null, true);
    JsonForm.readStrictly(StrictJson.read(RequestJson.write(all)), RequestJson::killSwitch);
    AnswerJson.write(new Answer.Done(""));
  }

  private HttpServer(
      HttpConfig config, Backend backend, ServiceLog log, Predicate<Endpoint> isServed) {
    this.config = config;
    this.log = log;
    this.traffic = new Traffic(config.limits());
    var endpoints = new Endpoints(backend, config.limits(), traffic, this::requestDrain, isServed);
    this.gate = new Gate(config, endpoints, traffic, log);
    SslContext ssl = config.tls() == null ? null : ssl(config.tls());
    this.acceptor = group("http-accept", 1);
    this.workers = group("http", config.threads());
    this.listener = bind(ssl);
  }

  private static EventLoopGroup group(String name, int threads) {
    return new MultiThreadIoEventLoopGroup(
        threads, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
  }

  private static SslContext ssl(HttpConfig.Tls tls) {
    File certificate = tls.certificate().toFile();
    File key = tls.key().toFile();
    try {
      var builder =
          SslContextBuilder.forServer(certificate, key)
              .sslProvider(SslProvider.JDK)
              .protocols("TLSv1.3", "TLSv1.2");
      Path authority = tls.clientAuthority();
      if (authority != null) {
        builder.trustManager(authority.toFile()).clientAuth(ClientAuth.REQUIRE);
      }
      return builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new ConfigException(
          "tls",
          "a certificate chain, a PKCS#8 key without password, and the clients' authority, in PEM",
          "%s and %s: %s".formatted(certificate, key, e.getMessage()));
    }
  }

  private Channel bind(@Nullable SslContext ssl) {
    var bound =
        new ServerBootstrap()
            .group(acceptor, workers)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(64, 2048, CHUNK_BYTES))
            .childHandler(pipeline(ssl))
            .bind(config.address())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      stopThreads();
      throw new ConfigException(
          "bind",
          "an address of this machine and a port that is free",
          "%s:%d".formatted(config.bind(), config.port()));
    }
    bound.channel().pipeline().addLast(new AcceptFailures());
    return bound.channel();
  }

  /// Logs connections that could not be accepted, usually because there are too many open files.
  /// Netty waits a second before it tries again.
  private final class AcceptFailures extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext channel, Throwable cause) {
      log.tell(Level.WARN, "not_accepted", "message", String.valueOf(cause.getMessage()));
    }
  }

  private ChannelInitializer<SocketChannel> pipeline(@Nullable SslContext ssl) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(SocketChannel channel) {
        if (!traffic.connect()) {
          var _ = channel.close();
          return;
        }
        int header = config.limits().headerBytes();
        var connection = new Connection(gate);
        var line = channel.pipeline();
        // Sends the answers of one group commit in one system call instead of one each.
        line.addLast(new FlushConsolidationHandler(FLUSH_AT_LEAST, true));
        line.addLast(touch(connection));
        if (ssl != null) {
          line.addLast(ssl.newHandler(channel.alloc()));
        }
        line.addLast(
            new HttpServerCodec(
                new HttpDecoderConfig()
                    .setMaxInitialLineLength(header)
                    .setMaxHeaderSize(header)
                    .setMaxChunkSize(CHUNK_BYTES),
                config.limits().pipelined() + CHUNK_BYTES / SHORTEST_REQUEST));
        line.addLast(connection);
      }
    };
  }

  /// Notes the arrival of bytes before they are decoded.
  private static ChannelInboundHandlerAdapter touch(Connection connection) {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext channel, Object bytes) {
        connection.touched();
        channel.fireChannelRead(bytes);
      }
    };
  }

  Traffic traffic() {
    return traffic;
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /// Returns the base URL, such as `http://127.0.0.1:8700`.
  public String url() {
    InetSocketAddress at = address();
    String host = at.getAddress().getHostAddress();
    return "%s://%s:%d"
        .formatted(
            config.tls() == null ? "http" : "https",
            host.indexOf(':') < 0 ? host : "[" + host + "]",
            at.getPort());
  }

  /// Requests a shutdown, ends [#awaitDrainRequest], and returns at once. The server is no longer
  /// ready, and refuses new connections and requests.
  public void requestDrain() {
    traffic.drain();
    var _ = listener.close();
    drainWanted.countDown();
  }

  /// Waits until a shutdown is requested.
  public void awaitDrainRequest() throws InterruptedException {
    drainWanted.await();
  }

  /// Stops: refuses new connections, waits for requests under way for at most `drainSeconds`, and
  /// closes all connections.
  @Override
  public void close() {
    log.tell(Level.INFO, "draining", "in_flight", Long.toString(traffic.inFlight()));
    requestDrain();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(config.drainSeconds());
    try {
      while (traffic.inFlight() > 0 && System.nanoTime() < end) {
        gate.closeIdle();
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    awaitFlush();
    stopThreads();
    log.tell(Level.INFO, "stopped", "in_flight", Long.toString(traffic.inFlight()));
  }

  /// Waits until answers that were written are on their way. Flushing is a task of its own: the
  /// first round waits for what writes it, the second for the task.
  private void awaitFlush() {
    try {
      for (int round = 0; round < 2; round++) {
        for (EventExecutor each : workers) {
          var _ = each.submit(() -> {}).awaitUninterruptibly(1, TimeUnit.SECONDS);
        }
      }
    } catch (RejectedExecutionException _) {
      // Another thread has closed the server, and waited for its answers.
    }
  }

  private void stopThreads() {
    acceptor.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    workers.shutdownGracefully(50, 2000, TimeUnit.MILLISECONDS).awaitUninterruptibly();
  }
}
