package io.tranche.market.pickle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.market.DataException;
import io.tranche.market.pickle.PickleValue.BigInt;
import io.tranche.market.pickle.PickleValue.Bool;
import io.tranche.market.pickle.PickleValue.Bytes;
import io.tranche.market.pickle.PickleValue.Int;
import io.tranche.market.pickle.PickleValue.Real;
import io.tranche.market.pickle.PickleValue.Text;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;

/// The bytes of a pickle: fixed numbers, counted runs and lines.
///
/// Every length is compared with the rest of the file before anything is allocated.
final class PickleInput {

  private static final int MAX_LINE = 1_000; // decimal conversion takes quadratic time

  private final String where;
  private final ByteBuffer in;
  private final CharsetDecoder utf8 = UTF_8.newDecoder();
  private int opcodeAt;

  PickleInput(String where, ByteBuffer bytes) {
    this.where = where;
    this.in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /// Reads an opcode; errors name its place until the next one is read.
  int opcode() {
    opcodeAt = in.position();
    return uint8();
  }

  int opcodeAt() {
    return opcodeAt;
  }

  int position() {
    return in.position();
  }

  int remaining() {
    return in.remaining();
  }

  int uint8() {
    return need(1).get() & 0xff;
  }

  int uint16() {
    return need(2).getShort() & 0xffff;
  }

  int int32() {
    return need(4).getInt();
  }

  long uint32() {
    return Integer.toUnsignedLong(int32());
  }

  long int64() {
    return need(8).getLong();
  }

  Real real() {
    return new Real(Double.longBitsToDouble(Long.reverseBytes(int64())));
  }

  private ByteBuffer need(int count) {
    if (in.remaining() < count) {
      throw bad(count + " more bytes", in.remaining() + " until the end of the file");
    }
    return in;
  }

  /// Checks a length that is announced but not read here.
  int checkedLength(long length) {
    if (length < 0 || length > in.remaining()) {
      throw bad(
          "a length of at most %d, the rest of the file".formatted(in.remaining()),
          Long.toUnsignedString(length));
    }
    return (int) length;
  }

  private ByteBuffer slice(long length) {
    int checked = checkedLength(length);
    ByteBuffer slice = in.slice(in.position(), checked);
    in.position(in.position() + checked);
    return slice;
  }

  Bytes bytes(long length) {
    return new Bytes(slice(length));
  }

  Text text(long length) {
    try {
      return new Text(utf8.decode(slice(length)).toString());
    } catch (CharacterCodingException e) {
      throw bad("text in UTF-8", "other bytes");
    }
  }

  /// Reads a little-endian two's complement.
  PickleValue integer(long length) {
    ByteBuffer littleEndian = slice(length);
    if (littleEndian.remaining() > MAX_LINE) {
      throw bad("an integer of at most %d bytes".formatted(MAX_LINE), littleEndian.remaining());
    }
    byte[] bigEndian = new byte[littleEndian.remaining()];
    for (int i = 0; i < bigEndian.length; i++) {
      bigEndian[bigEndian.length - 1 - i] = littleEndian.get(i);
    }
    return integer(bigEndian.length == 0 ? BigInteger.ZERO : new BigInteger(bigEndian));
  }

  private static PickleValue integer(BigInteger value) {
    return value.bitLength() < Long.SIZE ? new Int(value.longValue()) : new BigInt(value);
  }

  /// Reads up to the next line feed as Latin-1.
  String line() {
    return line(MAX_LINE);
  }

  private String line(int longest) {
    int start = in.position();
    while (uint8() != '\n') {
      if (in.position() - start > longest) {
        throw bad("a line of at most %d characters".formatted(longest), "a longer one");
      }
    }
    byte[] bytes = new byte[in.position() - 1 - start];
    in.get(start, bytes);
    return new String(bytes, ISO_8859_1);
  }

  PickleValue integerLine() {
    String text = line();
    try {
      return switch (text) {
        case "00" -> Bool.FALSE; // how protocol 0 spells the booleans
        case "01" -> Bool.TRUE;
        default -> integer(new BigInteger(text.replaceFirst("L$", "")));
      };
    } catch (NumberFormatException e) {
      throw bad("an integer", "'" + text + "'");
    }
  }

  Real realLine() {
    String text = line();
    try {
      return new Real(
          switch (text) {
            case "nan" -> Double.NaN;
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
          });
    } catch (NumberFormatException e) {
      throw bad("a number", "'" + text + "'");
    }
  }

  long indexLine() {
    String text = line();
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw bad("a memo index", "'" + text + "'");
    }
  }

  /// Reads a line in Python's raw-unicode-escape: Latin-1 with \\uXXXX and \\UXXXXXXXX.
  Text unicodeLine() {
    String text = line(Integer.MAX_VALUE);
    var decoded = new StringBuilder(text.length());
    int i = 0;
    while (i < text.length()) {
      int digits = text.startsWith("\\u", i) ? 4 : text.startsWith("\\U", i) ? 8 : 0;
      if (digits == 0) {
        decoded.append(text.charAt(i++));
        continue;
      }
      try {
        decoded.appendCodePoint(Integer.parseInt(text, i + 2, i + 2 + digits, 16));
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw bad("a unicode escape of %d digits".formatted(digits), "something else");
      }
      i += 2 + digits;
    }
    return new Text(decoded.toString());
  }

  DataException bad(String expected, Object found) {
    String text = found.toString();
    String shown = text.length() <= 80 ? text : text.substring(0, 80) + "...";
    return new DataException("%s: byte %d".formatted(where, opcodeAt), expected, shown);
  }
}
