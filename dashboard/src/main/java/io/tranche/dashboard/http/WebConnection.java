package io.tranche.dashboard.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.timeout.IdleStateEvent;
import io.tranche.config.ConfigException;
import io.tranche.market.DataException;
import io.tranche.serving.http.BrowserOrigins;
import io.tranche.serving.http.Token;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One connection of a browser. Requests are answered one after the other.
final class WebConnection extends SimpleChannelInboundHandler<FullHttpRequest> {

  /// What all connections share.
  ///
  /// @param defects receives the trace of an exception that nobody expected
  record Context(
      WebServer.Settings settings,
      PageFiles files,
      WebPages pages,
      LiveMessages live,
      ExecutorService readers,
      Consumer<String> defects) {}

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final int MOST_STREAMS = 32;
  private static final int ALIVE_SECONDS = 10;
  private static final int MOST_WAITING = 32;

  private final Context context;

  /// Requests that arrived while another was being answered.
  private final ArrayDeque<FullHttpRequest> waiting = new ArrayDeque<>();

  private boolean isBusy;
  private @Nullable Consumer<String> listening;

  WebConnection(Context context) {
    this.context = context;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext channel, FullHttpRequest request) {
    if (listening != null || waiting.size() >= MOST_WAITING) {
      var _ = channel.close();
    } else if (isBusy) {
      waiting.add(request.retain());
    } else {
      begin(channel, request);
    }
  }

  private void begin(ChannelHandlerContext channel, FullHttpRequest request) {
    boolean keepsAlive = HttpUtil.isKeepAlive(request);
    String refusal = refusal(request);
    if (refusal != null) {
      send(channel, WebAnswer.error(403, refusal), false);
      return;
    }
    var uri = new QueryStringDecoder(request.uri());
    String path = uri.path();
    boolean isGet = request.method().name().equals("GET");
    WebAnswer file = isGet ? context.files().find(path) : null;
    if (file != null) {
      send(channel, file, keepsAlive);
      return;
    }
    if (!path.startsWith("/api/")) {
      send(channel, WebAnswer.error(404, "there is no such page"), keepsAlive);
      return;
    }
    Token token = context.settings().token();
    boolean isTrusted =
        token != null && token.isShown(request.headers().get(HttpHeaderNames.AUTHORIZATION));
    if (!isTrusted && !context.settings().isLoopback()) {
      send(channel, WebAnswer.error(401, "the token is missing or wrong"), keepsAlive);
    } else if (isGet && path.equals("/api/events")) {
      listen(channel);
    } else {
      answer(channel, asked(request, uri, isTrusted), keepsAlive);
    }
  }

  private static WebRequest asked(
      FullHttpRequest request, QueryStringDecoder uri, boolean isTrusted) {
    return new WebRequest(
        request.method().name(),
        uri.path(),
        uri.parameters(),
        request.content().toString(StandardCharsets.UTF_8),
        isTrusted);
  }

  private @Nullable String refusal(FullHttpRequest request) {
    HttpHeaders headers = request.headers();
    List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
    if (request.decoderResult().isFailure() || hosts.size() != 1) {
      return "the request must be HTTP/1.1 with one host";
    }
    boolean isForm =
        headers.contains(HttpHeaderNames.CONTENT_TYPE)
            && !headers.get(HttpHeaderNames.CONTENT_TYPE).startsWith("application/json");
    // The types of forms are those that a page may send anywhere without asking.
    return isForm
        ? "the content type must be none or application/json"
        : BrowserOrigins.refusal(
            hosts.getFirst(),
            headers.get(HttpHeaderNames.ORIGIN),
            headers.get("sec-fetch-site"),
            !context.settings().isLoopback());
  }

  private void answer(ChannelHandlerContext channel, WebRequest request, boolean keepsAlive) {
    isBusy = true;
    try {
      context
          .readers()
          .execute(
              () -> {
                WebAnswer answer = work(request);
                channel
                    .executor()
                    .execute(
                        () -> {
                          isBusy = false;
                          send(channel, answer, keepsAlive);
                          next(channel);
                        });
              });
    } catch (RejectedExecutionException _) {
      isBusy = false;
      send(channel, WebAnswer.error(429, "too many requests are under way"), keepsAlive);
    }
  }

  /// Every exception ends here.
  private WebAnswer work(WebRequest request) {
    try {
      return context.pages().answer(request);
    } catch (WebException e) {
      return WebAnswer.error(e.status(), String.valueOf(e.getMessage()));
    } catch (DataException | ConfigException e) {
      return WebAnswer.error(422, String.valueOf(e.getMessage()));
    } catch (OutOfMemoryError _) {
      // Of one question, which is given up; others go on.
      return WebAnswer.error(
          507, "expected less to show, or more memory: TRANCHE_JAVA_OPTIONS=-Xmx512m");
    } catch (RuntimeException e) {
      var trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      context.defects().accept("%s %s".formatted(request.path(), trace));
      return WebAnswer.error(500, "a defect of the dashboard; it printed more");
    }
  }

  private void next(ChannelHandlerContext channel) {
    while (!isBusy && !waiting.isEmpty()) {
      FullHttpRequest request = waiting.remove();
      try {
        begin(channel, request);
      } finally {
        request.release();
      }
    }
  }

  private static void send(ChannelHandlerContext channel, WebAnswer answer, boolean keepsAlive) {
    var message =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            Unpooled.wrappedBuffer(answer.body()));
    secure(message.headers(), answer.type());
    message.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
    HttpUtil.setKeepAlive(message, keepsAlive);
    var written = channel.writeAndFlush(message);
    if (!keepsAlive) {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  private static void secure(HttpHeaders headers, String type) {
    headers.set(HttpHeaderNames.CONTENT_TYPE, type);
    headers.set("content-security-policy", POLICY);
    headers.set("x-content-type-options", "nosniff");
    headers.set("referrer-policy", "no-referrer");
    headers.set("cross-origin-opener-policy", "same-origin");
    headers.set("cross-origin-resource-policy", "same-origin");
    headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
  }

  /// Sends messages until the reader goes.
  private void listen(ChannelHandlerContext channel) {
    if (context.live().count() >= MOST_STREAMS) {
      send(channel, WebAnswer.error(429, "too many pages are open"), false);
      return;
    }
    var message = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    secure(message.headers(), "text/event-stream");
    HttpUtil.setTransferEncodingChunked(message, true);
    var _ = channel.writeAndFlush(message);
    Consumer<String> reader = json -> line(channel, "data: " + json + "\n\n");
    listening = reader;
    context.live().add(reader);
    line(channel, ": here\n\n");
    var alive =
        channel
            .executor()
            .scheduleAtFixedRate(
                () -> line(channel, ": alive\n\n"), ALIVE_SECONDS, ALIVE_SECONDS, TimeUnit.SECONDS);
    channel
        .channel()
        .closeFuture()
        .addListener(
            _ -> {
              alive.cancel(false);
              context.live().remove(reader);
            });
  }

  /// A reader that does not read is dropped, so that nothing piles up.
  private static void line(ChannelHandlerContext channel, String text) {
    if (channel.channel().isWritable()) {
      var _ =
          channel.writeAndFlush(
              new DefaultHttpContent(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8)));
    } else {
      var _ = channel.close();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext channel, Object event) {
    if (event instanceof IdleStateEvent) {
      var _ = channel.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext channel) {
    waiting.forEach(FullHttpRequest::release);
    waiting.clear();
    channel.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext channel, Throwable cause) {
    var _ = channel.close(); // the browser vanished, or does not speak HTTP
  }
}
