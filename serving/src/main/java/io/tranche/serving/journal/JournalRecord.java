package io.tranche.serving.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A record of the journal: a mark, the payload's length, a checksum of all that follows it, the
/// record's number, up to which number everything was durable when it was written, and the payload.
///
/// @param sequence numbers count up without gaps through all segments
/// @param durable with it, damage can be told from a tail that was never finished: what a later
///   record calls durable must be whole
/// @param end the offset after the record
public record JournalRecord(long sequence, long durable, int end) {

  public static final int MAX_PAYLOAD = 32 << 20;
  static final int OVERHEAD = 28;
  private static final int MARK = 0x5472_4a72;

  static byte[] write(long sequence, long durable, byte[] payload) {
    var bytes = ByteBuffer.allocate(OVERHEAD + payload.length);
    bytes.putInt(MARK).putInt(payload.length).putInt(0);
    bytes.putLong(sequence).putLong(durable).put(payload);
    bytes.putInt(8, checksum(bytes, 0, payload.length));
    return bytes.array();
  }

  private static int checksum(ByteBuffer bytes, int at, int length) {
    var crc = new CRC32C();
    crc.update(bytes.slice(at + 4, 4)); // the length too
    crc.update(bytes.slice(at + 12, 16 + length));
    return (int) crc.getValue();
  }

  /// Returns the record that begins at `at`, or null if none that is whole does.
  static @Nullable JournalRecord at(ByteBuffer bytes, int at) {
    if (bytes.limit() - at < OVERHEAD || bytes.getInt(at) != MARK) {
      return null;
    }
    int length = bytes.getInt(at + 4);
    if (length < 0 || length > MAX_PAYLOAD || length > bytes.limit() - at - OVERHEAD) {
      return null;
    }
    if (bytes.getInt(at + 8) != checksum(bytes, at, length)) {
      return null;
    }
    return new JournalRecord(
        bytes.getLong(at + 12), bytes.getLong(at + 20), at + OVERHEAD + length);
  }

  /// Returns the next record that is whole, at `from` or later, or null.
  static @Nullable JournalRecord after(ByteBuffer bytes, int from) {
    for (int at = from; at <= bytes.limit() - OVERHEAD; at++) {
      JournalRecord frame = at(bytes, at);
      if (frame != null) {
        return frame;
      }
    }
    return null;
  }

  /// Returns the payload of the record that begins at `at` and ends where this does.
  byte[] payload(ByteBuffer bytes, int at) {
    byte[] payload = new byte[end - at - OVERHEAD];
    bytes.get(at + OVERHEAD, payload);
    return payload;
  }
}
