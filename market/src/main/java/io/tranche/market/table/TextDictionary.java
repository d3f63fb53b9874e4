package io.tranche.market.table;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Numbers the distinct texts of a column in order of appearance, straight from their bytes.
///
/// Hot path: a text seen before costs a hash and a comparison, no string.
final class TextDictionary {

  private final List<String> texts = new ArrayList<>();
  private final List<byte[]> keys = new ArrayList<>();
  private int[] slots = new int[64]; // code + 1, 0 where empty
  private int lastCode = -1;

  /// Returns the code of the text in UTF-8.
  ///
  /// @throws CharacterCodingException if the bytes are not UTF-8
  int code(byte[] bytes, int from, int to) throws CharacterCodingException {
    if (lastCode >= 0 && matches(lastCode, bytes, from, to)) {
      return lastCode; // tables sorted by instrument repeat it for thousands of rows
    }
    int slot = slot(hash(bytes, from, to), bytes, from, to);
    if (slots[slot] == 0) {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes, from, to - from))
              .toString();
      texts.add(text);
      keys.add(Arrays.copyOfRange(bytes, from, to));
      slots[slot] = texts.size();
      if (texts.size() * 2 > slots.length) {
        grow();
        lastCode = texts.size() - 1;
        return lastCode;
      }
    }
    lastCode = slots[slot] - 1;
    return lastCode;
  }

  String[] distinct() {
    return texts.toArray(String[]::new);
  }

  private int slot(int hash, byte[] bytes, int from, int to) {
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (slots[slot] != 0 && !matches(slots[slot] - 1, bytes, from, to)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean matches(int code, byte[] bytes, int from, int to) {
    byte[] key = keys.get(code);
    return Arrays.equals(key, 0, key.length, bytes, from, to);
  }

  private void grow() {
    slots = new int[slots.length * 2];
    for (int code = 0; code < keys.size(); code++) {
      byte[] key = keys.get(code);
      slots[slot(hash(key, 0, key.length), key, 0, key.length)] = code + 1;
    }
  }

  private static int hash(byte[] bytes, int from, int to) {
    int hash = 0;
    for (int i = from; i < to; i++) {
      hash = hash * 31 + bytes[i];
    }
    return hash ^ hash >>> 15;
  }
}
