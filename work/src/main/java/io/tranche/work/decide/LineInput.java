package io.tranche.work.decide;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.market.DataException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Lines of UTF-8 text as they arrive. The caller closes the stream.
public final class LineInput {

  private static final int LONGEST = 1 << 20;
  private static final int BYTE_ORDER_MARK = 0xFEFF;

  /// Decides what to do at the end of an input that may grow.
  @FunctionalInterface
  public interface Growth {

    /// Whether to read again, perhaps after a wait; an incomplete line is kept.
    boolean isAwaited() throws IOException;
  }

  private final String name;
  private final InputStream in;
  private final @Nullable Growth growth;
  private final byte[] block = new byte[1 << 13];
  private int blockAt;
  private int blockEnd;
  private byte[] line = new byte[1 << 8];
  private int length;
  private int number;

  /// @param name what to call it in errors
  /// @param growth null if the input does not grow; then the last line needs no line end
  public LineInput(String name, InputStream in, @Nullable Growth growth) {
    this.name = name;
    this.in = in;
    this.growth = growth;
  }

  String name() {
    return name;
  }

  /// Returns the name and line number of the last line.
  String place() {
    return name + ":" + number;
  }

  /// Returns the next non-blank line; null if there is none, or none yet.
  ///
  /// @throws DataException if it cannot be read
  @Nullable String next() {
    try {
      while (readLine()) {
        String text = text();
        if (!text.isBlank()) {
          return text;
        }
      }
      return null;
    } catch (IOException e) {
      throw new DataException(name, "lines that can be read", e.getMessage(), e);
    }
  }

  /// Whether `line` now holds a whole line.
  private boolean readLine() throws IOException {
    while (true) {
      while (blockAt < blockEnd) {
        byte next = block[blockAt++];
        if (next == '\n') {
          number++;
          return true;
        }
        if (length == LONGEST) {
          throw new DataException(
              name + ":" + (number + 1), "lines of at most %d bytes".formatted(LONGEST), "more");
        }
        if (length == line.length) {
          line = Arrays.copyOf(line, 2 * length);
        }
        line[length++] = next;
      }
      blockAt = 0;
      blockEnd = Math.max(0, in.read(block));
      if (blockEnd == 0) {
        if (growth == null) {
          number += length > 0 ? 1 : 0;
          return length > 0;
        }
        if (!growth.isAwaited()) {
          return false;
        }
      }
    }
  }

  private String text() {
    int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    length = 0;
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(line, 0, end)).toString();
      return number == 1 && !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK
          ? text.substring(1)
          : text;
    } catch (CharacterCodingException e) {
      throw new DataException(place(), "UTF-8", "other bytes", e);
    }
  }
}
