package io.tranche.serving.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/// The body of the request that a connection is receiving. Its bytes count as buffered.
final class ReceivedBody {

  private final Traffic traffic;
  private @Nullable ByteBuf whole;

  ReceivedBody(Traffic traffic) {
    this.traffic = traffic;
  }

  /// Appends a part. If too much is buffered already, discards everything and returns false.
  ///
  /// @param isUrgent whether no limit applies
  boolean append(ByteBufAllocator allocator, ByteBuf part, boolean isUrgent) {
    int size = part.readableBytes();
    if (size == 0) {
      return true;
    }
    if (!traffic.reserve(size, isUrgent)) {
      release();
      return false;
    }
    ByteBuf buffer = whole == null ? allocator.heapBuffer(size) : whole;
    whole = buffer.writeBytes(part);
    return true;
  }

  /// Returns the bytes. They count as buffered until the caller releases them.
  byte[] take() {
    ByteBuf buffer = whole;
    if (buffer == null) {
      return new byte[0];
    }
    byte[] bytes = ByteBufUtil.getBytes(buffer);
    buffer.release();
    whole = null;
    return bytes;
  }

  /// Discards everything.
  void release() {
    ByteBuf buffer = whole;
    if (buffer != null) {
      traffic.release(buffer.readableBytes());
      buffer.release();
      whole = null;
    }
  }
}
