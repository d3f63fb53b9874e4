package io.tranche.serving.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/// The file `acknowledged` beside the segments: the number up to which requests may have been
/// answered. Written after every fsync of a segment without an fsync of its own, so it survives the
/// death of the process and, after a clean stop, a power cut. It is never ahead of the segments, so
/// a journal that ends before it has lost something.
final class AcknowledgedMark implements AutoCloseable {

  static final String NAME = "acknowledged";
  private static final int SIZE = 12;

  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(SIZE);

  private AcknowledgedMark(FileChannel channel) {
    this.channel = channel;
  }

  static AcknowledgedMark open(Path folder) throws IOException {
    return new AcknowledgedMark(
        JournalFile.channel(folder.resolve(NAME), StandardOpenOption.WRITE));
  }

  /// Writes a number if that is possible: the mark only helps to find damage, and an older one is
  /// true as well.
  void write(long sequence) {
    buffer.clear().putLong(sequence).putInt(checksum(buffer)).flip();
    try {
      channel.write(buffer, 0);
    } catch (IOException _) {
      // The number before it stays.
    }
  }

  /// Returns the number in the file; 0 if there is none that is whole.
  static long read(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    if (!Files.exists(file) || Files.size(file) != SIZE) {
      return 0;
    }
    var bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    return bytes.getInt(8) == checksum(bytes) ? bytes.getLong(0) : 0;
  }

  private static int checksum(ByteBuffer bytes) {
    var crc = new CRC32C();
    crc.update(bytes.slice(0, 8));
    return (int) crc.getValue();
  }

  /// Forces the mark to disk, if that is possible.
  @Override
  public void close() {
    try (channel) {
      channel.force(true);
    } catch (IOException _) {
      // As above: this may only make the mark older.
    }
  }
}
