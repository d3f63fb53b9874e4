package io.tranche.serving.journal;

import io.tranche.files.Sha256;
import io.tranche.market.DataException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// One file of the journal: a header, an [Event.Heading], and the events since then.
///
/// @param header its header
/// @param size how many bytes of the file are complete
/// @param cut how many incomplete bytes follow; 0 for none
/// @param hash the SHA-256 of the complete bytes
record Segment(Path file, Header header, List<Entry> entries, long size, long cut, String hash) {

  static final String SUFFIX = ".journal";
  static final int HEADER = 68;
  private static final int HEADER_1 = 28;
  private static final int MAGIC = 0x5472_6a6c;
  private static final int VERSION = 2;

  /// An event, and where it was found.
  record Entry(JournalRecord record, Event event, long offset) {
    long sequence() {
      return record.sequence();
    }

    /// Returns it as readers of the journal see it.
    JournalHistory.Entry inHistory(long segment) {
      return JournalHistory.Entry.of(
          segment, record.sequence(), record.micros(), record.caller(), event);
    }
  }

  /// What a segment says about itself and the one before it.
  ///
  /// @param number counts up from 1 without gaps
  /// @param first the sequence number of the heading
  /// @param previousLength the size of the segment before this one; 0 if there was none
  /// @param previousHash the SHA-256 of the segment before this one as hexadecimal digits; empty if
  ///   not known, because version 1 did not write it
  record Header(long number, long first, long previousLength, String previousHash) {

    /// The hash of no segment.
    static final String NONE = "0".repeat(64);

    byte[] bytes() {
      var bytes = ByteBuffer.allocate(HEADER).putInt(MAGIC).putInt(VERSION);
      bytes.putLong(number).putLong(first).putLong(previousLength);
      bytes.put(HexFormat.of().parseHex(previousHash));
      return bytes.putInt(checksum(bytes, HEADER)).array();
    }

    int length() {
      return previousHash.isEmpty() ? HEADER_1 : HEADER;
    }

    /// Reads a header.
    ///
    /// @return null if it is not whole or that of another segment
    /// @throws DataException if its version is not known
    static @Nullable Header read(Path file, ByteBuffer bytes, long number) {
      if (bytes.limit() < HEADER_1 || bytes.getInt(0) != MAGIC) {
        return null;
      }
      int version = bytes.getInt(4);
      if (version < 1 || version > VERSION) {
        throw new DataException(
            file + " at 4",
            "a journal of version 1 or %d; a newer Tranche reads newer ones".formatted(VERSION),
            version);
      }
      int length = version == 1 ? HEADER_1 : HEADER;
      if (bytes.limit() < length
          || bytes.getInt(length - 4) != checksum(bytes, length)
          || bytes.getLong(8) != number) {
        return null;
      }
      if (version == 1) {
        return new Header(number, bytes.getLong(16), 0, "");
      }
      byte[] hash = new byte[32];
      bytes.get(32, hash);
      return new Header(
          number, bytes.getLong(16), bytes.getLong(24), HexFormat.of().formatHex(hash));
    }

    private static int checksum(ByteBuffer bytes, int length) {
      var crc = new CRC32C();
      crc.update(bytes.slice(0, length - 4));
      return (int) crc.getValue();
    }
  }

  long number() {
    return header.number();
  }

  /// Returns where its complete part ends.
  Event.SegmentEnd end() {
    return new Event.SegmentEnd(number(), entries.getLast().sequence(), size);
  }

  Event.Heading heading() {
    return (Event.Heading) entries.getFirst().event();
  }

  static Path file(Path folder, long number) {
    return folder.resolve("%010d%s".formatted(number, SUFFIX));
  }

  /// Reads a segment.
  ///
  /// @param isLast whether it is the newest, whose tail may be unfinished
  /// @param acknowledged the number up to which records must be there
  /// @return null if it is the newest one and not even its heading is complete
  /// @throws DataException with file and offset if a record that must be there is damaged
  static @Nullable Segment read(Path file, long number, boolean isLast, long acknowledged) {
    ByteBuffer bytes = bytes(file);
    Header header = Header.read(file, bytes, number);
    if (header == null) {
      if (isLast && JournalRecord.after(bytes, 0) == null) {
        return null;
      }
      throw new DataException(file + " at 0", "the header of segment " + number, "something else");
    }
    var entries = new ArrayList<Entry>();
    var reader = new EventReader();
    int at = header.length();
    while (at < bytes.limit()) {
      JournalRecord frame = JournalRecord.at(bytes, at);
      long expected = header.first() + entries.size();
      if (frame == null || frame.sequence() != expected) {
        requireTail(file, bytes, at, expected, isLast, acknowledged);
        break;
      }
      entries.add(new Entry(frame, event(file, reader, frame.payload(bytes), at), at));
      at = frame.end();
    }
    if (isLast && entries.isEmpty()) {
      return null;
    }
    if (entries.isEmpty() || !(entries.getFirst().event() instanceof Event.Heading)) {
      throw new DataException(file + " at " + header.length(), "a heading", "none");
    }
    String hash = new Sha256().add(bytes.slice(0, at)).hex();
    return new Segment(
        file, header, Collections.unmodifiableList(entries), at, bytes.limit() - at, hash);
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

  /// Returns the header of a segment whose heading may be incomplete, or null.
  static @Nullable Header header(Path file, long number) {
    return Header.read(file, bytes(file), number);
  }

  private static Event event(Path file, EventReader reader, EventInput payload, int offset) {
    try {
      return EventCodec.read(reader, payload);
    } catch (EOFException e) {
      throw new DataException(file + " at " + offset, "an event", "less", e);
    } catch (IOException e) {
      throw new DataException(file + " at " + offset, "an event", e.getMessage(), e);
    }
  }

  /// An incomplete record may be cut only if neither a later record nor the mark says that it was
  /// durable. All later records count: those of one group commit say what was durable before it.
  private static void requireTail(
      Path file, ByteBuffer bytes, int at, long expected, boolean isLast, long acknowledged) {
    long durable = Math.max(acknowledged, JournalRecord.durableAfter(bytes, at + 1));
    if (!isLast || durable >= expected) {
      throw new DataException(
          file + " at " + at, "record " + expected, "damage in the middle of the journal");
    }
  }
}
