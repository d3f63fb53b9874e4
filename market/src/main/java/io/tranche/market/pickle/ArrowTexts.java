package io.tranche.market.pickle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.market.Table.Texts;
import io.tranche.market.pickle.PickleValue.None;
import io.tranche.market.pickle.PickleValue.PickledObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Text columns in the Arrow layout of pandas 3: a bitmap of valid values, the offsets of the
/// texts, and their bytes.
final class ArrowTexts {

  /// Subtracts cells from the number that the file's size allows.
  interface Budget {
    int spend(PickledObject owner, long cells);
  }

  private final PickleSource source;
  private final Budget budget;
  private final CharsetDecoder utf8 = UTF_8.newDecoder();
  private ByteBuffer lastBytes = ByteBuffer.allocate(0);
  private String lastText = "";

  ArrowTexts(PickleSource source, Budget budget) {
    this.source = source;
    this.budget = budget;
  }

  Texts column(PickledObject array) {
    PickleValue stored = source.field(array, "_pa_array");
    var texts = new ArrayList<@Nullable String>();
    if (stored instanceof PickledObject object
        && object.type().equals("pyarrow.lib.chunked_array")) {
      for (PickleValue chunk : source.items(object, source.argument(object, 0))) {
        addChunk(chunk, texts);
      }
    } else {
      addChunk(stored, texts);
    }
    return Texts.of(texts.toArray(String[]::new));
  }

  private void addChunk(PickleValue value, List<@Nullable String> texts) {
    PickledObject chunk = source.object(value, "pyarrow.lib._restore_array");
    // type, length, nulls, offset, buffers, children, dictionary
    List<PickleValue> parts = source.items(chunk, source.argument(chunk, 0));
    if (parts.size() < 5) {
      throw source.bad(chunk, "the parts of an Arrow array", parts.size());
    }
    PickledObject type = source.object(parts.get(0), "pyarrow.lib.type_for_alias");
    int offsetBytes =
        switch (source.text(type, source.argument(type, 0))) {
          case "string" -> 4;
          case "large_string" -> 8;
          default -> throw source.bad(type, "an Arrow array of texts", "another type");
        };
    long first = source.integer(chunk, parts.get(3));
    List<PickleValue> buffers = source.items(chunk, parts.get(4));
    if (buffers.size() != 3) {
      throw source.bad(chunk, "3 buffers", buffers.size());
    }
    int length = budget.spend(chunk, positive(chunk, source.integer(chunk, parts.get(1))));
    ByteBuffer present = buffer(chunk, buffers.get(0));
    ByteBuffer offsets = buffer(chunk, buffers.get(1)).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer bytes = buffer(chunk, buffers.get(2));
    boolean masked = !(buffers.get(0) instanceof None);
    long end = positive(chunk, first) + length;
    if (length > 0
        && ((end + 1) * offsetBytes > offsets.remaining()
            || (masked && Math.ceilDiv(end, 8) > present.remaining()))) {
      throw source.bad(chunk, "buffers for %d texts".formatted(end), "shorter ones");
    }
    long textBytes = 0;
    for (int i = (int) first; i < first + length; i++) {
      if (masked && (present.get(i / 8) >> (i % 8) & 1) == 0) {
        texts.add(null);
        continue;
      }
      long from = offset(offsets, i, offsetBytes);
      long to = offset(offsets, i + 1, offsetBytes);
      textBytes += to - from;
      // Offsets never go back, so the texts together are no longer than their buffer.
      if (from < 0 || to < from || to > bytes.remaining() || textBytes > bytes.remaining()) {
        throw source.bad(chunk, "offsets within %d bytes".formatted(bytes.remaining()), to);
      }
      ByteBuffer slice = bytes.slice((int) from, (int) (to - from));
      if (!slice.equals(lastBytes)) { // columns of keys repeat values
        lastBytes = slice;
        lastText = text(chunk, slice.duplicate());
      }
      texts.add(lastText);
    }
  }

  private String text(PickledObject chunk, ByteBuffer bytes) {
    try {
      return utf8.decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw source.bad(chunk, "text in UTF-8", "other bytes");
    }
  }

  private long positive(PickledObject chunk, long value) {
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw source.bad(chunk, "a length", value);
    }
    return value;
  }

  private static long offset(ByteBuffer offsets, int index, int bytes) {
    return bytes == 4 ? offsets.getInt(4 * index) : offsets.getLong(8 * index);
  }

  private ByteBuffer buffer(PickledObject chunk, PickleValue value) {
    if (value instanceof None) {
      return ByteBuffer.allocate(0);
    }
    PickledObject buffer = source.object(value, "pyarrow.lib.py_buffer");
    return source.bytes(chunk, source.argument(buffer, 0));
  }
}
