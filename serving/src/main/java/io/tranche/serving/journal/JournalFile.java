package io.tranche.serving.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// A file that is written at its end, replaceable in tests.
public interface JournalFile extends AutoCloseable {

  /// The mode of the journal's files, 0600.
  FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

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

  /// Opens a file that only its owner may read, and creates it if it is missing.
  static FileChannel channel(Path path, StandardOpenOption access) throws IOException {
    Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE, access);
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? FileChannel.open(path, options, OWNER_ONLY)
        : FileChannel.open(path, options);
  }

  /// Opens a file in the file system.
  static JournalFile open(Path path) throws IOException {
    FileChannel channel = channel(path, StandardOpenOption.WRITE);
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
