package io.tranche.serving.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A record of the journal: a mark, the payload's length, a checksum of everything else, the
/// record's sequence number, the number up to which everything was durable when it was written, and
/// the payload.
///
/// @param sequence counts up without gaps across all segments
/// @param durable distinguishes damage from an unfinished tail: records that a later one calls
///   durable must be complete
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
    crc.update(bytes.slice(at + 4, 4)); // includes the length
    crc.update(bytes.slice(at + 12, 16 + length));
    return (int) crc.getValue();
  }

  /// Returns the complete record that begins at `at`, or null.
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

  /// Returns the next complete record at `from` or later, or null.
  static @Nullable JournalRecord after(ByteBuffer bytes, int from) {
    for (int at = from; at <= bytes.limit() - OVERHEAD; at++) {
      JournalRecord frame = at(bytes, at);
      if (frame != null) {
        return frame;
      }
    }
    return null;
  }

  /// Returns the payload of this record, which begins at `at`.
  byte[] payload(ByteBuffer bytes, int at) {
    byte[] payload = new byte[end - at - OVERHEAD];
    bytes.get(at + OVERHEAD, payload);
    return payload;
  }
}
