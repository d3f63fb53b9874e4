package io.tranche.serving.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file that is written at its end, replaceable in tests.
public interface JournalFile extends AutoCloseable {

  /// Opens a file, and creates it if it is missing.
  @FunctionalInterface
  interface Opener {
    JournalFile open(Path path) throws IOException;
  }

  /// Writes all of `bytes` at `position`.
  void write(ByteBuffer bytes, long position) throws IOException;

  void truncate(long size) throws IOException;

  /// Calls fsync: returns once everything written would survive a power cut.
  void force() throws IOException;

  @Override
  void close() throws IOException;

  /// Opens a file in the file system.
  static JournalFile open(Path path) throws IOException {
    var channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    return new JournalFile() {
      @Override
      public void write(ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
          at += channel.write(bytes, at);
        }
      }

      @Override
      public void truncate(long size) throws IOException {
        channel.truncate(size);
      }

      @Override
      public void force() throws IOException {
        channel.force(false);
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }
}
