package io.tranche.market;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// A file that appears at its target whole or not at all.
///
/// It is written under a temporary name in the target's folder, so that the final rename stays
/// within one file system.
public final class PendingFile implements AutoCloseable {

  private static final int MAX_PENDING = 1_000; // of one name, those of killed processes included

  private final Path target;
  private final Path folder;
  private final Path path;
  private boolean committed;

  private PendingFile(Path target, Path folder, Path path) {
    this.target = target;
    this.folder = folder;
    this.path = path;
  }

  /// Creates an empty temporary file beside `target`.
  public static PendingFile beside(Path target) throws IOException {
    Path absolute = target.toAbsolutePath().normalize();
    Path folder = absolute.getParent();
    if (folder == null || absolute.getFileName() == null || Files.isDirectory(absolute)) {
      throw new IOException("target must be a file, was " + target);
    }
    Leftovers.delete(absolute, "new");
    for (int i = 0; ; i++) {
      try {
        // Not createTempFile, which would hide the file from everyone but its owner for good.
        Path path =
            Files.createFile(folder.resolve(Leftovers.name(absolute, "new") + "-" + i + ".tmp"));
        return new PendingFile(absolute, folder, path);
      } catch (FileAlreadyExistsException e) {
        if (i == MAX_PENDING) {
          throw e;
        }
      }
    }
  }

  /// Returns where to write.
  public Path path() {
    return path;
  }

  /// Forces what was written to disk and gives it the target's name, replacing what was there.
  public void commit() throws IOException {
    if (committed) {
      throw new IllegalStateException("file must be committed once, was twice: " + target);
    }
    force(path, StandardOpenOption.WRITE);
    Files.move(path, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    committed = true;
    force(folder, StandardOpenOption.READ); // the rename itself must survive a power cut
  }

  /// Deletes the temporary file unless it was committed.
  @Override
  public void close() throws IOException {
    if (!committed) {
      Files.deleteIfExists(path);
    }
  }

  private static void force(Path path, StandardOpenOption mode) throws IOException {
    try (var channel = FileChannel.open(path, mode)) {
      channel.force(true);
    }
  }
}
