package io.tranche.work;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;

/// Writes and reads what crosses between processes: setups, pieces and their results.
///
/// Numbers that are mostly small take as few bytes as they need. Lengths are checked against the
/// remaining bytes before anything is allocated.
public final class PieceCodec {

  /// Writes a message.
  @FunctionalInterface
  public interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  /// Reads a message.
  ///
  /// @param <T> the type of the message
  @FunctionalInterface
  public interface Reading<T> {
    T from(DataInputStream in) throws IOException;
  }

  private static final int LAST_SHIFT = 63;

  private PieceCodec() {}

  public static byte[] write(Writing message) {
    var bytes = new ByteArrayOutputStream();
    try {
      message.to(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail this way
    }
    return bytes.toByteArray();
  }

  /// @param what to call the message in errors
  /// @throws WorkException if the bytes are damaged or hold something else
  public static <T> T read(String what, byte[] bytes, Reading<T> reading) {
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      T message = reading.from(in);
      if (in.available() > 0) {
        throw new StreamCorruptedException(in.available() + " bytes too many");
      }
      return message;
    } catch (EOFException e) {
      throw new WorkException("%s must be complete, was cut short".formatted(what), e);
    } catch (IOException e) {
      throw new WorkException(
          "%s must be readable, was damaged: %s".formatted(what, e.getMessage()), e);
    }
  }

  /// Writes a number of at least 0 in groups of seven bits, the lowest first.
  public static void writeNumber(long number, DataOutputStream out) throws IOException {
    long left = number;
    while (left > 0x7F) {
      out.writeByte((int) (left & 0x7F) | 0x80);
      left >>>= 7;
    }
    out.writeByte((int) left);
  }

  public static long readNumber(DataInputStream in) throws IOException {
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

  /// Reads how many items follow.
  ///
  /// @param bytesEach the minimum number of bytes per item
  public static int readCount(DataInputStream in, int bytesEach) throws IOException {
    long count = readNumber(in);
    if (count > in.available() / bytesEach) {
      throw new StreamCorruptedException(
          "%d items of at least %d bytes each in %d bytes"
              .formatted(count, bytesEach, in.available()));
    }
    return (int) count;
  }

  public static void writeBytes(byte[] content, DataOutputStream out) throws IOException {
    writeNumber(content.length, out);
    out.write(content);
  }

  public static byte[] readBytes(DataInputStream in) throws IOException {
    return in.readNBytes(readCount(in, 1));
  }

  /// Writes a text of any length, unlike [DataOutputStream#writeUTF].
  public static void writeText(String text, DataOutputStream out) throws IOException {
    writeBytes(text.getBytes(UTF_8), out);
  }

  public static String readText(DataInputStream in) throws IOException {
    return new String(readBytes(in), UTF_8);
  }
}
