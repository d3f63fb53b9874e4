package io.tranche.env.vector;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/// Messages between a vector and its children: a mark, a kind, a length, that many bytes.
final class Wire {

  /// What a message is.
  enum Kind {
    /// To the child, first: log level and configuration.
    CONFIGURE(1),
    /// To the child: an initial state.
    BEGIN(2),
    /// To the child: an action.
    STEP(3),
    /// From the child: it has made its environment.
    READY(4),
    /// From the child: a first observation.
    BEGUN(5),
    /// From the child: what a step gave.
    STEPPED(6),
    /// From the child: the text of an exception.
    FAILED(7);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    private static @Nullable Kind of(int code) {
      for (Kind kind : KINDS) {
        if (kind.code == code) {
          return kind;
        }
      }
      return null;
    }
  }

  /// What fills the body of a message.
  @FunctionalInterface
  interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  /// A message that has come in.
  record Message(Kind kind, DataInputStream body) {}

  private static final int MARK = 0x54524E31;
  private static final Kind[] KINDS = Kind.values();

  private final DataInputStream in;
  private final DataOutputStream out;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
  private final int maxBytes;

  Wire(InputStream in, OutputStream out, int maxBytes) {
    this.in = new DataInputStream(in);
    this.out = new DataOutputStream(out);
    this.maxBytes = maxBytes;
  }

  void send(Kind kind, Body body) throws IOException {
    buffer.reset();
    var content = new DataOutputStream(buffer);
    body.write(content);
    content.flush();
    out.writeInt(MARK);
    out.writeByte(kind.code);
    out.writeInt(buffer.size());
    buffer.writeTo(out);
    out.flush();
  }

  /// @throws EOFException if the other side is gone
  /// @throws StreamCorruptedException if what comes in is no message
  Message receive() throws IOException {
    int mark = in.readInt();
    int code = in.readUnsignedByte();
    Kind kind = Kind.of(code);
    int length = in.readInt();
    if (mark != MARK || kind == null || length < 0 || length > maxBytes) {
      throw new StreamCorruptedException(
          "mark %08x, kind %d, length %d".formatted(mark, code, length));
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException();
    }
    return new Message(kind, new DataInputStream(new ByteArrayInputStream(body)));
  }
}
