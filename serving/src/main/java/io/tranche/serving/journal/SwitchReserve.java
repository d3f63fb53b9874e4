package io.tranche.serving.journal;

import io.tranche.files.Fsync;
import io.tranche.serving.Request;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// What is switched off, in space that was reserved before the disk was full, so that a switch
/// survives a restart even if the journal cannot be written. Two slots are written in turn: a torn
/// write leaves the other one.
public final class SwitchReserve implements AutoCloseable {

  /// What is switched off as of an event.
  public record Saved(long sequence, List<Request.Switch> off) {
    public Saved {
      off = List.copyOf(off);
    }
  }

  private static final String NAME = "switches";
  private static final int SLOT = 32 << 10;
  private static final int HEADER = 24; // checksum, length, sequence number, version
  private static final List<Request.Switch> EVERYTHING =
      List.of(new Request.Switch(Request.Scope.ALL, null, true));

  private final Path file;
  private final FileChannel channel;
  private int slot;
  private long newest = Long.MIN_VALUE;

  /// Counts writes. Numbers of events that a crash lost are used again, so they do not say which
  /// slot is newer.
  private long version;

  private SwitchReserve(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /// Opens the reserved space of a journal, or reserves it.
  public static SwitchReserve open(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    boolean isNew = !Files.exists(file) || Files.size(file) < 2 * SLOT;
    FileChannel channel = JournalFile.channel(file, StandardOpenOption.WRITE);
    if (isNew) {
      channel.write(ByteBuffer.allocate(2 * SLOT), 0);
      channel.force(true);
      Fsync.force(folder);
    }
    return new SwitchReserve(file, channel);
  }

  /// Returns the newest state that was written whole, or null.
  public synchronized @Nullable Saved read() throws IOException {
    Saved found = null;
    byte[] all = Files.readAllBytes(file);
    for (int each = 0; each < 2 && all.length >= 2 * SLOT; each++) {
      ByteBuffer bytes = ByteBuffer.wrap(all, each * SLOT, SLOT).slice();
      Saved saved = read(bytes);
      if (saved != null && bytes.getLong(16) > version) {
        found = saved;
        version = bytes.getLong(16);
        slot = 1 - each;
      }
    }
    return found;
  }

  private static @Nullable Saved read(ByteBuffer bytes) throws IOException {
    int length = bytes.getInt(4);
    if (length <= 0 || length > SLOT - HEADER || bytes.getInt(0) != checksum(bytes, length)) {
      return null;
    }
    var off = new ArrayList<Request.Switch>();
    byte[] payload = new byte[length];
    bytes.get(HEADER, payload);
    try (var in = new DataInputStream(new ByteArrayInputStream(payload))) {
      for (int left = in.readInt(); left > 0; left--) {
        var scope = Request.Scope.valueOf(in.readUTF());
        off.add(new Request.Switch(scope, in.readBoolean() ? in.readUTF() : null, true));
      }
    }
    return new Saved(bytes.getLong(8), off);
  }

  private static int checksum(ByteBuffer bytes, int length) {
    var crc = new CRC32C();
    crc.update(bytes.slice(4, HEADER - 4 + length));
    return (int) crc.getValue();
  }

  /// Writes what is off as of an event, unless something newer was written. What does not fit into
  /// the space becomes a switch of everything.
  public synchronized void write(long sequence, Collection<Request.Switch> off) throws IOException {
    if (sequence < newest) {
      return;
    }
    byte[] payload = payload(off);
    if (payload.length > SLOT - HEADER) {
      payload = payload(EVERYTHING);
    }
    var bytes = ByteBuffer.allocate(SLOT);
    bytes.putInt(4, payload.length).putLong(8, sequence).putLong(16, ++version).put(HEADER, payload);
    bytes.putInt(0, checksum(bytes, payload.length));
    channel.write(bytes, (long) slot * SLOT);
    channel.force(false);
    slot = 1 - slot;
    newest = sequence;
  }

  private static byte[] payload(Collection<Request.Switch> off) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      out.writeInt(off.size());
      for (Request.Switch each : off) {
        String name = each.name();
        out.writeUTF(each.scope().name());
        out.writeBoolean(name != null);
        if (name != null) {
          out.writeUTF(name);
        }
      }
    }
    return bytes.toByteArray();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
