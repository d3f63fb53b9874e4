package io.tranche.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;

/// A file that becomes visible at its target only when it is complete.
///
/// It is written under a temporary name in the target's folder, so that the final rename stays
/// within one file system.
public final class PendingFile implements AutoCloseable {

  private static final int MAX_PENDING = 1_000; // of one name, including those of killed processes

  private final Path target;
  private final Path folder;
  private final Path path;
  private boolean committed;

  private PendingFile(Path target, Path folder, Path path) {
    this.target = target;
    this.folder = folder;
    this.path = path;
  }

  /// Writes the content of a file to the given path.
  public interface Content {
    void write(Path path) throws IOException;
  }

  /// Writes or replaces a file; on failure, an existing file is kept.
  public static void write(Path target, Content content) throws IOException {
    try (var pending = beside(target)) {
      content.write(pending.path());
      pending.commit();
    }
  }

  /// Writes a file as [#write(Path, Content)] does.
  public static void write(Path target, byte[] content) throws IOException {
    write(target, path -> Files.write(path, content));
  }

  /// Writes a file as [#write(Path, Content)] does.
  public static void write(Path target, String content) throws IOException {
    write(target, path -> Files.writeString(path, content));
  }

  /// Writes a file without an fsync, for content whose reader can tell whether it is complete. The
  /// temporary file has the name of `target` plus `.tmp`.
  public static void writeUnforced(Path target, byte[] content) throws IOException {
    Path pending = target.resolveSibling(target.getFileName() + ".tmp");
    // In one call: Files.write would take one for every eight kilobytes.
    try (var channel =
        FileChannel.open(
            pending,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
    Files.move(
        pending, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /// Creates an empty temporary file beside `target`.
  public static PendingFile beside(Path target) throws IOException {
    Path absolute = target.toAbsolutePath().normalize();
    Path folder = absolute.getParent();
    if (folder == null || absolute.getFileName() == null || Files.isDirectory(absolute)) {
      throw new IOException("target must be a file, was " + target);
    }
    StaleFiles.delete(absolute, "new");
    for (int i = 0; ; i++) {
      try {
        // Not createTempFile: only the owner could ever read such a file.
        Path path =
            Files.createFile(folder.resolve(StaleFiles.name(absolute, "new") + "-" + i + ".tmp"));
        return new PendingFile(absolute, folder, path);
      } catch (FileAlreadyExistsException e) {
        if (i == MAX_PENDING) {
          throw e;
        }
      }
    }
  }

  public Path path() {
    return path;
  }

  /// Forces the content to disk and renames the file to the target, which it replaces.
  public void commit() throws IOException {
    commitAll(List.of(this));
  }

  /// Commits files in this order. All are forced to disk before the first is renamed, and each
  /// folder is forced once.
  public static void commitAll(List<PendingFile> files) throws IOException {
    for (PendingFile each : files) {
      if (each.committed) {
        throw new IllegalStateException("file must be committed once, was twice: " + each.target);
      }
    }
    Fsync.forceAll(files.stream().map(PendingFile::path).toList());
    var folders = new LinkedHashSet<Path>();
    for (PendingFile each : files) {
      Files.move(
          each.path,
          each.target,
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
      each.committed = true;
      folders.add(each.folder);
    }
    Fsync.forceAll(folders); // the renames themselves must survive a power cut
  }

  /// Deletes the temporary file unless it was committed.
  @Override
  public void close() throws IOException {
    if (!committed) {
      Files.deleteIfExists(path);
    }
  }
}
