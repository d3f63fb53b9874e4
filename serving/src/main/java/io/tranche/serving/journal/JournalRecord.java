package io.tranche.serving.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A record of the journal: a mark, the length of what follows the numbers, a checksum of
/// everything else, the record's sequence number, the number up to which everything was durable
/// when it was written, the time, who caused it, and the payload. Records of version 1 have another
/// mark, no time and no cause.
///
/// @param sequence counts up without gaps across all segments
/// @param durable distinguishes damage from an unfinished tail: records that a later one calls
///   durable must be complete
/// @param micros when it was written, in microseconds since 1970 UTC; 0 if not known
/// @param caller who caused it; empty if not known
/// @param start the offset of the payload
/// @param end the offset after the record
public record JournalRecord(
    long sequence, long durable, long micros, String caller, int start, int end) {

  public static final int MAX_PAYLOAD = 32 << 20;
  static final int OVERHEAD = 28;

  /// The longest name of a caller, in bytes.
  public static final int MAX_CALLER = 255;

  private static final int BODY = 9; // the time, and the length of the caller's name
  private static final int MARK_1 = 0x5472_4a72;
  private static final int MARK = 0x5472_4a32;

  static byte[] write(long sequence, long durable, long micros, byte[] caller, byte[] payload) {
    int length = BODY + caller.length + payload.length;
    var bytes = ByteBuffer.allocate(OVERHEAD + length);
    bytes.putInt(MARK).putInt(length).putInt(0);
    bytes.putLong(sequence).putLong(durable).putLong(micros);
    bytes.put((byte) caller.length).put(caller).put(payload);
    bytes.putInt(8, checksum(bytes, 0, length));
    return bytes.array();
  }

  /// @param bytes in an array, which is read in place: a journal has millions of records
  private static int checksum(ByteBuffer bytes, int at, int length) {
    var crc = new CRC32C();
    int start = bytes.arrayOffset() + at;
    crc.update(bytes.array(), start + 4, 4); // includes the length
    crc.update(bytes.array(), start + 12, 16 + length);
    return (int) crc.getValue();
  }

  /// Returns the complete record that begins at `at`, or null.
  static @Nullable JournalRecord at(ByteBuffer bytes, int at) {
    if (bytes.limit() - at < OVERHEAD) {
      return null;
    }
    int mark = bytes.getInt(at);
    int length = bytes.getInt(at + 4);
    if ((mark != MARK && mark != MARK_1)
        || length < 0
        || length > MAX_PAYLOAD + BODY + MAX_CALLER
        || length > bytes.limit() - at - OVERHEAD
        || bytes.getInt(at + 8) != checksum(bytes, at, length)) {
      return null;
    }
    long sequence = bytes.getLong(at + 12);
    long durable = bytes.getLong(at + 20);
    int start = at + OVERHEAD;
    if (mark == MARK_1) {
      return new JournalRecord(sequence, durable, 0, "", start, start + length);
    }
    int name = length < BODY ? Integer.MAX_VALUE : bytes.get(start + 8) & 0xff;
    if (name > length - BODY) {
      return null;
    }
    return new JournalRecord(
        sequence,
        durable,
        bytes.getLong(start),
        new String(bytes.array(), bytes.arrayOffset() + start + BODY, name, StandardCharsets.UTF_8),
        start + BODY + name,
        start + length);
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

  /// Returns the largest number that a complete record at `from` or later calls durable; 0 for
  /// none.
  static long durableAfter(ByteBuffer bytes, int from) {
    long durable = 0;
    for (JournalRecord next = after(bytes, from); next != null; next = after(bytes, next.end())) {
      durable = Math.max(durable, next.durable());
    }
    return durable;
  }

  /// Returns the payload, not a copy.
  EventInput payload(ByteBuffer bytes) {
    int offset = bytes.arrayOffset();
    return new EventInput(bytes.array(), offset + start, offset + end);
  }
}
