package io.tranche.market.feature.pipeline;

import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The raw columns of one instrument on disk, between two passes of the pipeline.
///
/// Little-endian: a header, column after column, and a checksum of all of it. A file becomes
/// visible only when complete; one with a wrong checksum counts as absent.
record StagedFile(Path path, Header header) {

  /// @param input the checksum of the bars that the columns were computed from
  /// @param firstBar calendar index of the first row before filtering, -1 if there was none
  /// @param lastBar calendar index of the last row before filtering
  /// @param rows in each column; 0 if the instrument did not survive the filter
  record Header(int input, int firstBar, int lastBar, int columns, int rows) {

    private static final int BYTES = 5 * Integer.BYTES;

    boolean survived() {
      return rows > 0;
    }
  }

  static StagedFile write(Path path, Header header, float[][] columns) throws IOException {
    PendingFile.writeUnforced(path, bytes(header, columns));
    return new StagedFile(path, header);
  }

  static byte[] bytes(Header header, float[][] columns) {
    int values = Math.multiplyExact(header.columns, header.rows);
    byte[] content =
        new byte
            [Math.addExact(Header.BYTES + Integer.BYTES, Math.multiplyExact(values, Float.BYTES))];
    ByteBuffer bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(header.input).putInt(header.firstBar).putInt(header.lastBar);
    bytes.putInt(header.columns).putInt(header.rows);
    for (float[] column : columns) {
      bytes.asFloatBuffer().put(column, 0, header.rows);
      bytes.position(bytes.position() + header.rows * Float.BYTES);
    }
    bytes.putInt(checksum(bytes.duplicate().flip()));
    return content;
  }

  /// Opens a file that an earlier run left, or returns null if there is no complete one.
  static @Nullable StagedFile open(Path path) throws IOException {
    ByteBuffer bytes;
    try {
      bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    } catch (NoSuchFileException _) {
      return null;
    }
    int end = bytes.limit() - Integer.BYTES;
    if (end < Header.BYTES || bytes.getInt(end) != checksum(bytes.duplicate().limit(end))) {
      return null;
    }
    var header =
        new Header(bytes.getInt(), bytes.getInt(), bytes.getInt(), bytes.getInt(), bytes.getInt());
    return new StagedFile(path, header);
  }

  /// Maps the columns into memory for as long as `arena` lives.
  StagedColumns mapped(Arena arena) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = (long) header.columns * header.rows * Float.BYTES;
      if (channel.size() < Header.BYTES + size) {
        throw new DataException(
            path.toString(), "%d staged columns".formatted(header.columns), channel.size());
      }
      return new StagedColumns(header, channel.map(MapMode.READ_ONLY, Header.BYTES, size, arena));
    } catch (IOException e) {
      throw new DataException(path.toString(), "a readable staged file", e.getMessage(), e);
    }
  }

  private static int checksum(ByteBuffer bytes) {
    var checksum = new CRC32C();
    checksum.update(bytes);
    return (int) checksum.getValue();
  }
}
