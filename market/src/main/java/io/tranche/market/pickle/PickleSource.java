package io.tranche.market.pickle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Table.Times;
import io.tranche.market.pickle.PickleValue.Bytes;
import io.tranche.market.pickle.PickleValue.Dict;
import io.tranche.market.pickle.PickleValue.Int;
import io.tranche.market.pickle.PickleValue.PickledObject;
import io.tranche.market.pickle.PickleValue.Sequence;
import io.tranche.market.pickle.PickleValue.Text;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the parts of inert objects; anything unexpected is an error that names file and place.
///
/// @param file the name of the source in errors
record PickleSource(String file) {

  private static final long EXACT = 1L << 53; // beyond it a double skips integers
  private static final long FIRST_SECOND = BarTime.of(LocalDate.of(1, 1, 1));
  private static final long LAST_SECOND = BarTime.of(LocalDate.of(10_000, 1, 1)) - 1;

  /// Returns `value` as an object of the class or function `type`.
  PickledObject object(@Nullable PickleValue value, String type) {
    if (value instanceof PickledObject object && object.type().equals(type)) {
      return object;
    }
    throw unexpected(value, "an object of " + type);
  }

  PickleValue argument(PickledObject object, int index) {
    if (index >= object.arguments().size()) {
      throw bad(object, "argument %d of %s".formatted(index, object.type()), "none");
    }
    return object.arguments().get(index);
  }

  PickleValue field(PickledObject object, String name) {
    return field(object, object.state(), name);
  }

  PickleValue field(PickledObject owner, @Nullable PickleValue dict, String name) {
    PickleValue value = dict instanceof Dict entries ? entries.get(name) : null;
    if (value == null) {
      throw bad(owner, "the field %s of %s".formatted(name, owner.type()), "none");
    }
    return value;
  }

  List<PickleValue> items(PickledObject owner, @Nullable PickleValue value) {
    if (value instanceof Sequence sequence) {
      return sequence.items();
    }
    throw bad(owner, "a list or tuple in " + owner.type(), value);
  }

  String text(PickledObject owner, PickleValue value) {
    if (value instanceof Text(String text)) {
      return text;
    }
    throw bad(owner, "a text in " + owner.type(), value);
  }

  long integer(PickledObject owner, PickleValue value) {
    if (value instanceof Int(long number)) {
      return number;
    }
    throw bad(owner, "an integer in " + owner.type(), value);
  }

  /// Returns bytes, a bytearray, or either as protocols 0 to 2 spell them.
  ByteBuffer bytes(PickledObject owner, PickleValue value) {
    PickleValue content = value;
    if (value instanceof PickledObject array && array.type().equals("builtins.bytearray")) {
      if (array.arguments().isEmpty()) {
        return ByteBuffer.allocate(0);
      }
      content = argument(array, 0);
    }
    return switch (content) {
      case Bytes bytes -> bytes.buffer();
      case PickledObject object when object.type().equals("_codecs.encode") ->
          ByteBuffer.wrap(text(object, argument(object, 0)).getBytes(ISO_8859_1));
      default -> throw bad(owner, "bytes in " + owner.type(), value);
    };
  }

  /// Returns a few bytes as Latin-1 text.
  String word(PickledObject owner, PickleValue value) {
    ByteBuffer bytes = bytes(owner, value);
    if (bytes.remaining() > 16) {
      throw bad(owner, "a short word in " + owner.type(), bytes.remaining() + " bytes");
    }
    return ISO_8859_1.decode(bytes).toString();
  }

  /// Returns an integer as the double that equals it.
  double exact(PickledObject owner, long value) {
    if (value > EXACT || value < -EXACT) {
      throw bad(owner, "integers within 2^53, which a double holds", value);
    }
    return value;
  }

  /// Returns a datetime as [io.tranche.market.BarTime] seconds.
  long seconds(PickledObject owner, long value, String unit) {
    if (value == Long.MIN_VALUE) {
      return Times.MISSING; // NaT
    }
    long scale =
        switch (unit) {
          case "s" -> 1;
          case "ms" -> 1_000;
          case "us" -> 1_000_000;
          case "ns" -> 1_000_000_000;
          default -> throw bad(owner, "times in s, ms, us or ns", unit);
        };
    if (value % scale != 0) {
      throw bad(owner, "times in whole seconds", value + " " + unit);
    }
    long seconds = value / scale;
    if (seconds < FIRST_SECOND || seconds > LAST_SECOND) {
      throw bad(owner, "times in the years 1 to 9999", value + " " + unit);
    }
    return seconds;
  }

  /// Refuses something of the wrong class by its name.
  DataException unexpected(@Nullable PickleValue value, String expected) {
    return value instanceof PickledObject object
        ? bad(object, expected, object)
        : new DataException(file, expected, value);
  }

  DataException bad(PickledObject at, String expected, @Nullable Object found) {
    String text = String.valueOf(found);
    return new DataException(
        "%s: byte %d".formatted(file, at.offset()),
        expected,
        text.length() <= 80 ? text : text.substring(0, 80) + "...");
  }
}
