package io.tranche.serving.journal;

import io.tranche.market.DataException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// One file of the journal: a header, an [Event.Heading], and the events since then.
///
/// @param number counts up from 1
/// @param size how many bytes of the file are complete
/// @param cut how many incomplete bytes follow; 0 for none
record Segment(Path file, long number, List<Entry> entries, long size, long cut) {

  static final String SUFFIX = ".journal";
  static final int HEADER = 28;
  private static final int MAGIC = 0x5472_6a6c;
  private static final int VERSION = 1;

  /// An event, and where it was found.
  record Entry(long sequence, Event event, long offset) {}

  static Path file(Path folder, long number) {
    return folder.resolve("%010d%s".formatted(number, SUFFIX));
  }

  /// @param first the sequence number of the heading
  static byte[] header(long number, long first) {
    var bytes = ByteBuffer.allocate(HEADER).putInt(MAGIC).putInt(VERSION);
    bytes.putLong(number).putLong(first);
    bytes.putInt(checksum(bytes));
    return bytes.array();
  }

  private static int checksum(ByteBuffer bytes) {
    var crc = new CRC32C();
    crc.update(bytes.slice(0, HEADER - 4));
    return (int) crc.getValue();
  }

  /// Reads a segment.
  ///
  /// @param isLast whether it is the newest, whose tail may be unfinished
  /// @return null if it is the newest one and not even its heading is complete
  /// @throws DataException with file and offset if a complete record was damaged
  static @Nullable Segment read(Path file, long number, boolean isLast) {
    ByteBuffer bytes = bytes(file);
    if (!hasHeader(file, bytes, number)) {
      if (isLast && JournalRecord.after(bytes, 0) == null) {
        return null;
      }
      throw new DataException(file + " at 0", "the header of segment " + number, "something else");
    }
    var entries = new ArrayList<Entry>();
    int at = HEADER;
    while (at < bytes.limit()) {
      JournalRecord frame = JournalRecord.at(bytes, at);
      long expected = bytes.getLong(16) + entries.size();
      if (frame == null || frame.sequence() != expected) {
        requireTail(file, bytes, at, expected, isLast);
        break;
      }
      entries.add(new Entry(frame.sequence(), event(file, frame.payload(bytes, at), at), at));
      at = frame.end();
    }
    if (isLast && entries.isEmpty()) {
      return null;
    }
    if (entries.isEmpty() || !(entries.getFirst().event() instanceof Event.Heading)) {
      throw new DataException(file + " at " + HEADER, "a heading", "none");
    }
    return new Segment(file, number, List.copyOf(entries), at, bytes.limit() - at);
  }

  private static ByteBuffer bytes(Path file) {
    try (var channel = FileChannel.open(file)) {
      if (channel.size() > Integer.MAX_VALUE - 8) {
        throw new DataException(file.toString(), "less than 2 GB", channel.size());
      }
      return ByteBuffer.wrap(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new DataException(file.toString(), "a readable file", e.getMessage(), e);
    }
  }

  private static boolean hasHeader(Path file, ByteBuffer bytes, long number) {
    if (bytes.limit() < HEADER
        || bytes.getInt(0) != MAGIC
        || bytes.getInt(HEADER - 4) != checksum(bytes)
        || bytes.getLong(8) != number) {
      return false;
    }
    if (bytes.getInt(4) != VERSION) {
      throw new DataException(file + " at 4", "version " + VERSION, bytes.getInt(4));
    }
    return true;
  }

  private static Event event(Path file, byte[] payload, int offset) {
    try {
      return EventCodec.read(payload);
    } catch (EOFException e) {
      throw new DataException(file + " at " + offset, "an event", "less", e);
    } catch (IOException e) {
      throw new DataException(file + " at " + offset, "an event", e.getMessage(), e);
    }
  }

  /// An incomplete record may be cut only if it was never durable, which the next complete record
  /// tells.
  private static void requireTail(
      Path file, ByteBuffer bytes, int at, long expected, boolean isLast) {
    JournalRecord next = JournalRecord.after(bytes, at + 1);
    if (!isLast || (next != null && next.durable() >= expected)) {
      throw new DataException(
          file + " at " + at, "record " + expected, "damage in the middle of the journal");
    }
  }
}
