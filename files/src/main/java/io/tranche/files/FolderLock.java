package io.tranche.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The right to write to a folder, which one owner in one process has at a time. The operating
/// system releases it when the process dies.
///
/// The lock is on a file `lock` in the folder, which nothing else may open: on POSIX systems, a
/// process loses its lock when it closes any channel on the locked file.
public final class FolderLock implements AutoCloseable {

  /// The lock files that this process holds or is opening. Looked up before a channel is opened,
  /// because closing a second channel would release the lock of the first.
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private FolderLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /// Takes the lock of a folder, and creates the folder if it is missing. Returns null if another
  /// process, or another part of this one, has the lock.
  public static @Nullable FolderLock tryTake(Path folder) throws IOException {
    Path file = Files.createDirectories(folder).toRealPath().resolve("lock");
    if (!HELD.add(file)) {
      return null;
    }
    FolderLock lock = null;
    try {
      lock = open(file);
      return lock;
    } finally {
      if (lock == null) {
        HELD.remove(file);
      }
    }
  }

  private static @Nullable FolderLock open(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean isLocked = false;
    try {
      isLocked = channel.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      // Another class loader of this process has it.
    } finally {
      if (!isLocked) {
        channel.close();
      }
    }
    return isLocked ? new FolderLock(file, channel) : null;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException _) {
      // The lock ends with the process at the latest.
    }
    HELD.remove(file);
  }
}
