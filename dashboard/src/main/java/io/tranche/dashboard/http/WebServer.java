package io.tranche.dashboard.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tranche.config.ConfigException;
import io.tranche.serving.http.Token;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The page on HTTP/1.1, from [#start] to [#close].
public final class WebServer implements AutoCloseable {

  /// Where it listens.
  ///
  /// @param bind an address of this machine
  /// @param port 0 for any free one
  /// @param token that changes need, and everything if the address is not loopback; null for none
  public record Settings(String bind, int port, @Nullable Token token) {

    /// @throws ConfigException if the address is not loopback and there is no token
    public Settings {
      if (port < 0 || port > 65_535) {
        throw new ConfigException("--port", "a number in [0, 65535]", port);
      }
      if (token == null && !address(bind, port).getAddress().isLoopbackAddress()) {
        throw new ConfigException("--token-file", "a token for any address but loopback", "none");
      }
    }

    boolean isLoopback() {
      return address(bind, port).getAddress().isLoopbackAddress();
    }
  }

  private static final int THREADS = 4;
  private static final int WAITING = 256;
  private static final int MOST_BODY = 64 << 10;
  private static final int IDLE_SECONDS = 120;

  private final EventLoopGroup acceptor = group("dashboard-accept");
  private final EventLoopGroup workers = group("dashboard-http");

  /// Reads files, so that the threads of connections never wait for a disk.
  private final ExecutorService readers;

  private final Channel listener;

  /// @param defects receives the trace of an exception that nobody expected
  /// @throws ConfigException if the address is in use or not of this machine
  public static WebServer start(
      Settings settings,
      PageFiles files,
      WebPages pages,
      LiveMessages live,
      Consumer<String> defects) {
    return new WebServer(settings, files, pages, live, defects);
  }

  private WebServer(
      Settings settings,
      PageFiles files,
      WebPages pages,
      LiveMessages live,
      Consumer<String> defects) {
    this.readers =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(WAITING),
            new DefaultThreadFactory("dashboard-read", true));
    var context = new WebConnection.Context(settings, files, pages, live, readers, defects);
    var bound =
        new ServerBootstrap()
            .group(acceptor, workers)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            // A page asks seldom: what an answer took is given back, not kept for the next.
            .option(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
            .childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel
                        .pipeline()
                        .addLast(new IdleStateHandler(0, 0, IDLE_SECONDS))
                        .addLast(new HttpServerCodec())
                        .addLast(new HttpObjectAggregator(MOST_BODY))
                        .addLast(new WebConnection(context));
                  }
                })
            .bind(address(settings.bind(), settings.port()))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      stopThreads();
      throw new ConfigException(
          "--bind and --port",
          "an address of this machine and a port that is free",
          "%s:%d".formatted(settings.bind(), settings.port()));
    }
    this.listener = bound.channel();
  }

  private static EventLoopGroup group(String name) {
    return new MultiThreadIoEventLoopGroup(
        1, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
  }

  private static InetSocketAddress address(String bind, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByName(bind), port);
    } catch (UnknownHostException _) {
      throw new ConfigException("--bind", "an address of this machine", "'" + bind + "'");
    }
  }

  /// Returns the base URL, such as `http://127.0.0.1:8800`.
  public String url() {
    var at = (InetSocketAddress) listener.localAddress();
    String host = at.getAddress().getHostAddress();
    return "http://%s:%d".formatted(host.indexOf(':') < 0 ? host : "[" + host + "]", at.getPort());
  }

  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    stopThreads();
  }

  private void stopThreads() {
    readers.shutdownNow();
    acceptor.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    workers.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
