package io.tranche.work.rollout;

import io.tranche.work.WorkException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;

/// How what crosses between processes is written and read: numbers that are mostly small take as
/// few bytes as they need, and no length is believed that the bytes at hand do not bear out.
final class PieceCodec {

  /// What writes a message.
  @FunctionalInterface
  interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  /// What reads a message.
  ///
  /// @param <T> what it is
  @FunctionalInterface
  interface Reading<T> {
    T from(DataInputStream in) throws IOException;
  }

  private static final int LAST_SHIFT = 63;

  private PieceCodec() {}

  static byte[] bytes(Writing message) {
    var bytes = new ByteArrayOutputStream();
    try {
      message.to(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail this way
    }
    return bytes.toByteArray();
  }

  /// @param what to call the message in errors
  /// @throws WorkException if the bytes are none of ours
  static <T> T read(String what, byte[] bytes, Reading<T> reading) {
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      T message = reading.from(in);
      if (in.available() > 0) {
        throw new StreamCorruptedException(in.available() + " bytes more");
      }
      return message;
    } catch (EOFException e) {
      throw new WorkException("%s must be whole, was cut short".formatted(what), e);
    } catch (IOException e) {
      throw new WorkException("%s must be one of ours, was %s".formatted(what, e.getMessage()), e);
    }
  }

  /// Writes a number that is not negative, seven bits a byte, the lowest first.
  static void writeNumber(long number, DataOutputStream out) throws IOException {
    long left = number;
    while (left > 0x7F) {
      out.writeByte((int) (left & 0x7F) | 0x80);
      left >>>= 7;
    }
    out.writeByte((int) left);
  }

  static long readNumber(DataInputStream in) throws IOException {
    long number = 0;
    for (int shift = 0; shift < LAST_SHIFT; shift += 7) {
      int next = in.readUnsignedByte();
      number |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return number;
      }
    }
    throw new StreamCorruptedException("a number without an end");
  }

  /// Reads how many things follow.
  ///
  /// @param bytesEach how many bytes one takes at least
  static int readCount(DataInputStream in, int bytesEach) throws IOException {
    long count = readNumber(in);
    if (count > in.available() / bytesEach) {
      throw new StreamCorruptedException(
          "%d of at least %d bytes each in %d".formatted(count, bytesEach, in.available()));
    }
    return (int) count;
  }
}
