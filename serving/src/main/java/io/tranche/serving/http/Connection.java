package io.tranche.serving.http;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.tranche.serving.Caller;
import io.tranche.serving.http.Gate.Admission;
import io.tranche.serving.http.ServiceLog.Level;
import io.tranche.serving.wire.MalformedException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One connection. It answers requests in the order in which they arrived. Only the connection's
/// thread may call its methods, except [#answered].
final class Connection extends ChannelInboundHandlerAdapter {

  /// How long a client may continue to send a request that was already refused. Closing at once
  /// could keep it from reading the answer.
  private static final long LINGER_MILLIS = 500;

  /// How many bytes of answers may wait to be read before the connection is closed.
  private static final long MOST_UNREAD = 16L << 20;

  private final Gate gate;
  private final HttpLimits limits;
  private final Traffic traffic;
  private final ArrayDeque<HttpExchange> waiting = new ArrayDeque<>();

  /// Messages that were read together with the last request that may wait.
  private final ArrayDeque<Object> inbox = new ArrayDeque<>();

  private @Nullable ChannelHandlerContext context;

  /// The request that is being received; null between requests.
  private @Nullable HttpExchange receiving;

  private final ReceivedBody body;
  private int received;
  private boolean isReading;
  private boolean isPaused;
  private boolean isClosing;

  /// The stream of events that this connection has become; null for none.
  private @Nullable StreamPump pump;

  /// When the first byte of the current request arrived; 0 between requests.
  private long firstByte;

  private long lastActive = System.nanoTime();

  private String address = "";

  /// Who sent the newest request. The journal has it with every event, mostly the same one.
  private String caller = "";

  private String callerName = "";

  Connection(Gate gate) {
    this.gate = gate;
    this.limits = gate.limits();
    this.traffic = gate.traffic();
    this.body = new ReceivedBody(traffic);
  }

  @Override
  public void channelActive(ChannelHandlerContext channel) {
    context = channel;
    if (channel.channel().remoteAddress() instanceof InetSocketAddress remote) {
      address = remote.getAddress().getHostAddress();
    }
    gate.connected(this);
    watch(channel);
    channel.fireChannelActive();
  }

  @Override
  public void channelInactive(ChannelHandlerContext channel) {
    isClosing = true;
    body.release();
    inbox.forEach(ReferenceCountUtil::release);
    inbox.clear();
    for (HttpExchange each : waiting) {
      HttpExchange.Response response = each.response;
      if (response == null) {
        gate.left(each);
      } else if (response.stream() != null) {
        traffic.closeStream(); // it never began
      }
    }
    waiting.clear();
    if (pump != null) {
      pump.close();
    }
    gate.disconnected(this);
    channel.fireChannelInactive();
  }

  /// Notes that bytes arrived.
  void touched() {
    lastActive = System.nanoTime();
    if (firstByte == 0) {
      firstByte = lastActive;
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext channel, Object message) {
    if (isPaused) {
      inbox.add(message);
    } else {
      take(channel, message);
    }
  }

  private void take(ChannelHandlerContext channel, Object message) {
    isReading = true;
    try {
      if (isClosing) {
        return;
      }
      if (message instanceof HttpRequest request) {
        begin(channel, request);
      }
      if (message instanceof HttpContent content && receiving != null) {
        receive(channel, receiving, content);
      }
    } finally {
      isReading = false;
      ReferenceCountUtil.release(message);
    }
  }

  private void pause(ChannelHandlerContext channel) {
    isPaused = true;
    channel.channel().config().setAutoRead(false);
  }

  private void resume(ChannelHandlerContext channel) {
    if (!isPaused || waiting.size() >= limits.pipelined() || !channel.channel().isWritable()) {
      return;
    }
    isPaused = false;
    firstByte = inbox.isEmpty() ? 0 : System.nanoTime();
    while (!isPaused && !inbox.isEmpty()) {
      take(channel, inbox.remove());
    }
    if (!isPaused) {
      channel.channel().config().setAutoRead(true);
    }
    channel.flush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext channel) {
    StreamPump now = pump;
    if (now != null && channel.channel().isWritable()) {
      channel.executor().execute(now::pump);
    }
    if (isPaused && channel.channel().isWritable()) {
      // Later, because this is called within a write.
      channel.executor().execute(() -> resume(channel));
    }
    channel.fireChannelWritabilityChanged();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext channel) {
    channel.flush();
    channel.fireChannelReadComplete();
  }

  private void begin(ChannelHandlerContext channel, HttpRequest request) {
    long began = firstByte == 0 ? System.nanoTime() : firstByte;
    Admission admission = gate.admit(request);
    var exchange = new HttpExchange(this, gate.requestId(request), admission, began);
    waiting.add(exchange);
    receiving = exchange;
    received = 0;
    Rejection rejection = admission.rejection();
    if (rejection != null) {
      gate.refused(exchange, rejection, address);
      exchange.reject(rejection);
    } else if (!traffic.begin(exchange.isUrgent())) {
      exchange.reject(Rejection.OVERLOADED);
    } else {
      exchange.counts = true;
      if (HttpUtil.is100ContinueExpected(request)) {
        var _ =
            channel.writeAndFlush(
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
      }
    }
  }

  private void receive(ChannelHandlerContext channel, HttpExchange exchange, HttpContent content) {
    received += content.content().readableBytes();
    if (content.decoderResult().isFailure()) {
      exchange.reject(Rejection.malformed("the body is not HTTP"));
      refuseRest(channel);
    } else if (received > limits.bodyBytes()) {
      exchange.reject(Rejection.BODY_TOO_LARGE);
      refuseRest(channel);
    } else if (!exchange.isAnswered()
        && !body.append(channel.alloc(), content.content(), exchange.isUrgent())) {
      exchange.reject(Rejection.OVERLOADED);
    }
    if (content instanceof LastHttpContent && !isClosing) {
      receiving = null;
      firstByte = 0;
      if (exchange.isAnswered()) {
        body.release();
      } else {
        exchange.body = body.take();
        work(exchange);
      }
      // A client that does not read its answers gets no more of them.
      if (waiting.size() >= limits.pipelined() || !channel.channel().isWritable()) {
        pause(channel);
      }
    }
  }

  /// Handles a request. Every exception ends here.
  private void work(HttpExchange exchange) {
    Endpoint endpoint = Objects.requireNonNull(exchange.endpoint, "only admitted requests");
    try {
      Rejection rejection = Gate.checkBody(endpoint, exchange.body.length);
      if (rejection == null) {
        String name = exchange.user == null ? "client" : exchange.user.name();
        if (!name.equals(callerName)) {
          callerName = name;
          caller = name + "@" + address;
        }
        Caller.as(caller, () -> endpoint.work().begin(exchange));
      } else {
        exchange.reject(rejection);
      }
    } catch (MalformedException e) {
      exchange.reject(Rejection.malformed(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      gate.failed(exchange, e);
      exchange.reject(Rejection.INTERNAL);
    }
  }

  /// Discards what the client is still sending, then closes the connection.
  private void refuseRest(ChannelHandlerContext channel) {
    isClosing = true;
    body.release();
    channel.flush();
    Runnable close =
        () -> {
          var _ = channel.close();
        };
    var _ = channel.executor().schedule(close, LINGER_MILLIS, TimeUnit.MILLISECONDS);
  }

  /// Runs a task later on the connection's thread.
  void later(Runnable task, long micros) {
    ChannelHandlerContext channel = context;
    if (channel != null) {
      var _ = channel.executor().schedule(task, micros, TimeUnit.MICROSECONDS);
    }
  }

  /// Sends the answer of an exchange. Called by any thread, once per exchange.
  void answered(HttpExchange exchange, HttpExchange.Response response) {
    ChannelHandlerContext channel = context;
    if (channel == null) {
      return;
    }
    if (channel.executor().inEventLoop()) {
      send(channel, exchange, response);
    } else {
      channel.executor().execute(() -> send(channel, exchange, response));
    }
  }

  private void send(
      ChannelHandlerContext channel, HttpExchange exchange, HttpExchange.Response response) {
    exchange.response = response;
    gate.left(exchange);
    boolean wrote = false;
    for (HttpExchange first = waiting.peek();
        first != null && pump == null;
        first = waiting.peek()) {
      HttpExchange.Response ready = first.response;
      if (ready == null) {
        break;
      }
      waiting.remove();
      write(channel, first, ready);
      wrote = true;
    }
    if (wrote && !isReading) {
      channel.flush();
    }
    if (isPaused) {
      // Later, because resuming now would handle the next request within this one.
      channel.executor().execute(() -> resume(channel));
    }
  }

  private void write(
      ChannelHandlerContext channel, HttpExchange exchange, HttpExchange.Response answer) {
    EventStream stream = answer.stream();
    if (stream != null) {
      begin(channel, exchange, answer, stream);
      return;
    }
    FullHttpResponse message = answer.message(exchange.id);
    boolean isLast =
        !exchange.keepsAlive || (waiting.isEmpty() && (isClosing || traffic.isDraining()));
    if (isLast) {
      message.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    long nanos = System.nanoTime() - exchange.began;
    if (exchange.isUrgent()) {
      message.headers().set("server-timing", "total;dur=" + millis(nanos));
    }
    gate.wrote(exchange, answer.status().code(), nanos);
    traffic.sent(answer.content().readableBytes());
    var written = channel.write(message);
    if (channel.channel().bytesBeforeWritable() > MOST_UNREAD) {
      var _ = channel.close();
    }
    lastActive = System.nanoTime();
    // For a moment, discards what the client is still sending.
    if (isLast && receiving == null) {
      isClosing = true;
      written.addListener(ChannelFutureListener.CLOSE);
    } else if (isLast && !isClosing) {
      refuseRest(channel);
    }
  }

  private static String millis(long nanos) {
    return BigDecimal.valueOf(nanos / 1_000, 3).toPlainString();
  }

  /// Sends events until the reader goes, and takes no more requests.
  private void begin(
      ChannelHandlerContext channel,
      HttpExchange exchange,
      HttpExchange.Response answer,
      EventStream stream) {
    gate.wrote(exchange, answer.status().code(), System.nanoTime() - exchange.began);
    isClosing = true;
    var _ = channel.write(answer.beginning(exchange.id));
    pump = new StreamPump(channel, stream, traffic);
    pump.pump();
  }

  /// Closes the connection if nothing is under way.
  void closeIfIdle() {
    ChannelHandlerContext channel = context;
    if (channel != null) {
      channel
          .executor()
          .execute(
              () -> {
                if (pump != null || (waiting.isEmpty() && receiving == null)) {
                  var _ = channel.close();
                }
              });
    }
  }

  /// Checks for slow clients and missing answers, periodically.
  private void watch(ChannelHandlerContext channel) {
    int seconds = Math.min(limits.requestSeconds(), limits.answerSeconds());
    var _ =
        channel
            .executor()
            .schedule(
                () -> {
                  if (channel.channel().isActive()) {
                    check(channel, System.nanoTime());
                    watch(channel);
                  }
                },
                seconds * 500L,
                TimeUnit.MILLISECONDS);
  }

  private void check(ChannelHandlerContext channel, long now) {
    if (pump != null) {
      pump.check(now, limits.requestSeconds());
      return;
    }
    HttpExchange first = waiting.peek();
    if (first != null
        && receiving != first
        && now - first.began > TimeUnit.SECONDS.toNanos(limits.answerSeconds())) {
      gate.log(Level.WARN, "late", first);
      first.reject(Rejection.LATE);
    }
    boolean isSlow =
        firstByte != 0
            && !isPaused
            && now - firstByte > TimeUnit.SECONDS.toNanos(limits.requestSeconds());
    if (isSlow && receiving != null && !receiving.isAnswered()) {
      receiving.reject(
          Rejection.of(
              HttpResponseStatus.REQUEST_TIMEOUT, "slow", "the request did not arrive in time"));
      refuseRest(channel);
    } else if (isSlow
        || (waiting.isEmpty() && now - lastActive > TimeUnit.SECONDS.toNanos(limits.idleSeconds()))
        || (!channel.channel().isWritable()
            && now - lastActive > TimeUnit.SECONDS.toNanos(limits.requestSeconds()))) {
      var _ = channel.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext channel, Throwable cause) {
    // The client vanished, or does not speak HTTP or TLS: there is no one to answer.
    var _ = channel.close();
  }
}
