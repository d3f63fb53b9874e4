package io.tranche.serving.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Sends a stream of events over a connection, as fast as the reader reads. Only the connection's
/// thread may call its methods.
final class StreamPump {

  private final ChannelHandlerContext channel;
  private final EventStream stream;
  private final Traffic traffic;
  private final AtomicBoolean isWoken = new AtomicBoolean();
  private final Runnable wake = this::wake;
  private long lastSent = System.nanoTime();

  StreamPump(ChannelHandlerContext channel, EventStream stream, Traffic traffic) {
    this.channel = channel;
    this.stream = stream;
    this.traffic = traffic;
    stream.feed().listen(wake);
  }

  /// Called by the thread of the journal.
  private void wake() {
    if (isWoken.compareAndSet(false, true)) {
      channel.executor().execute(this::pump);
    }
  }

  void pump() {
    isWoken.set(false);
    while (channel.channel().isWritable()) {
      byte[] next = stream.next();
      if (next.length == 0) {
        break;
      }
      write(next);
      if (stream.isOver()) {
        traffic.dropStream();
        channel
            .writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
            .addListener(ChannelFutureListener.CLOSE);
      }
    }
    channel.flush();
  }

  private void write(byte[] bytes) {
    lastSent = System.nanoTime();
    traffic.sent(bytes.length);
    var _ = channel.write(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes)));
  }

  /// Tells a reader that waits that the service is alive, and drops one that does not read.
  void check(long now, int seconds) {
    if (channel.channel().isWritable()) {
      write(stream.alive());
      channel.flush();
    } else if (now - lastSent > TimeUnit.SECONDS.toNanos(seconds)) {
      traffic.dropStream();
      var _ = channel.close();
    }
  }

  void close() {
    stream.feed().ignore(wake);
    traffic.closeStream();
  }
}
