package io.tranche.serving.journal;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The bytes of an event, read as `DataInputStream` reads them, without its buffers: a journal has
/// millions of events.
final class EventInput {

  private final byte[] bytes;
  private final ByteBuffer in;

  /// @param from where the event begins in `bytes`
  /// @param to where it ends
  EventInput(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.in = ByteBuffer.wrap(bytes, from, to - from);
  }

  int available() {
    return in.remaining();
  }

  int position() {
    return in.position();
  }

  /// Returns a copy of the bytes from a position up to the present one.
  byte[] since(int position) {
    return Arrays.copyOfRange(bytes, position, in.position());
  }

  /// Skips bytes if they come next.
  boolean skip(byte[] expected) {
    int from = in.position();
    int to = from + expected.length;
    boolean areNext =
        expected.length <= in.remaining()
            && Arrays.equals(bytes, from, to, expected, 0, expected.length);
    if (areNext) {
      in.position(to);
    }
    return areNext;
  }

  /// Returns a hash of the text that comes next; 0 if there is none.
  int textHash() {
    int from = in.position() + Short.BYTES;
    if (from > in.limit()) {
      return 0;
    }
    int to = Math.min(in.limit(), from + (in.getShort(in.position()) & 0xffff));
    int hash = 0;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + bytes[i];
    }
    return hash;
  }

  private void require(int count) throws EOFException {
    if (in.remaining() < count) {
      throw new EOFException();
    }
  }

  int readUnsignedByte() throws EOFException {
    require(1);
    return in.get() & 0xff;
  }

  boolean readBoolean() throws EOFException {
    return readUnsignedByte() != 0;
  }

  int readInt() throws EOFException {
    require(Integer.BYTES);
    return in.getInt();
  }

  long readLong() throws EOFException {
    require(Long.BYTES);
    return in.getLong();
  }

  float readFloat() throws EOFException {
    require(Float.BYTES);
    return in.getFloat();
  }

  double readDouble() throws EOFException {
    require(Double.BYTES);
    return in.getDouble();
  }

  /// @throws IOException if the bytes are no text
  String readUTF() throws IOException {
    require(Short.BYTES);
    int length = in.getShort() & 0xffff;
    require(length);
    int from = in.position();
    in.position(from + length);
    for (int i = from; i < from + length; i++) {
      if (bytes[i] < 0) {
        int start = from - Short.BYTES;
        var stream = new ByteArrayInputStream(bytes, start, length + Short.BYTES);
        return new DataInputStream(stream).readUTF();
      }
    }
    return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
  }
}
