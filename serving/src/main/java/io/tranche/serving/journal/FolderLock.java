package io.tranche.serving.journal;

import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Keeps two services from writing one journal. The system lets go of it when a process dies.
public final class FolderLock implements AutoCloseable {

  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /// @throws DataException if another service has it
  public static FolderLock take(Path folder) {
    try {
      Files.createDirectories(folder);
      var channel =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isLocked(channel)) {
        channel.close();
        throw new DataException(
            folder.toString(), "a journal that no other service uses", "one in use");
      }
      return new FolderLock(channel);
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      return false; // this very process has it
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException _) {
      // The lock is gone with the process at the latest.
    }
  }
}
