package io.tranche.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.OptionalLong;

/// The exclusive right to write to a folder, held by one owner in one process at a time. The
/// operating system releases it when the process dies.
///
/// The lock is on a file `lock` in the folder, which holds the number of the process. On POSIX
/// systems, a process loses its lock when it closes any channel on the locked file, so a process
/// that has the lock never opens the file again.
public final class FolderLock implements AutoCloseable {

  /// Another owner has the lock.
  public static final class InUseException extends IOException {

    private static final long serialVersionUID = 1L;

    /// What was expected of the folder, for messages.
    public static final String EXPECTED = "a folder that no other process is working in";

    private InUseException(String holder) {
      super("in use by " + holder);
    }
  }

  /// Begins the names of system properties, one for each lock file that this process holds or is
  /// opening. Looked up before a channel is opened, because closing a second channel would release
  /// the lock of the first. A static field would not do: every class loader has its own.
  private static final String HELD = "io.tranche.files.lock:";

  /// A byte that the file never has: where locks are mandatory, its content stays readable.
  private static final long LOCKED = Long.MAX_VALUE - 1;

  private final Path file;
  private final FileChannel channel;

  private FolderLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /// Takes the lock of a folder, and creates the folder if it is missing.
  ///
  /// @throws InUseException if another process, or another part of this one, has the lock; says
  ///   which process
  public static FolderLock take(Path folder) throws IOException {
    Path file = Files.createDirectories(folder.toAbsolutePath()).toRealPath().resolve("lock");
    if (System.getProperties().putIfAbsent(HELD + file, "held") != null) {
      throw new InUseException("this process, " + ProcessHandle.current().pid());
    }
    FolderLock lock = null;
    try {
      lock = open(file);
      return lock;
    } finally {
      if (lock == null) {
        System.clearProperty(HELD + file);
      }
    }
  }

  private static FolderLock open(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean isLocked = false;
    try {
      isLocked = channel.tryLock(LOCKED, 1, false) != null;
      if (isLocked) {
        channel.truncate(0);
        channel.write(UTF_8.encode(Long.toString(ProcessHandle.current().pid())));
        return new FolderLock(file, channel);
      }
    } catch (OverlappingFileLockException _) {
      // Other code of this process has locked the file.
    } catch (IOException e) {
      isLocked = false; // the owner's number could not be written
      throw e;
    } finally {
      if (!isLocked) {
        channel.close();
      }
    }
    throw new InUseException(describe(file));
  }

  /// Returns the process that works in a folder; empty if none does, as far as this machine knows.
  /// Takes no lock, so it is in nobody's way.
  public static OptionalLong holder(Path folder) {
    Path file = folder.resolve("lock");
    try {
      long process = Long.parseLong(Files.readString(file).strip());
      Instant locked = Files.getLastModifiedTime(file).toInstant();
      // Numbers of processes are used again; clocks of files are a little coarse.
      boolean isAlive =
          ProcessHandle.of(process)
              .filter(ProcessHandle::isAlive)
              .flatMap(found -> found.info().startInstant())
              .filter(start -> start.isBefore(locked.plusSeconds(2)))
              .isPresent();
      return isAlive ? OptionalLong.of(process) : OptionalLong.empty();
    } catch (IOException | NumberFormatException _) {
      return OptionalLong.empty();
    }
  }

  private static String describe(Path file) throws IOException {
    String number = Files.readString(file).strip();
    return number.isEmpty() ? "another process" : "process " + number;
  }

  @Override
  public void close() {
    try (channel) {
      channel.truncate(0); // so that nobody takes us for the holder
    } catch (IOException _) {
      // The lock ends with the process, at the latest.
    }
    System.clearProperty(HELD + file);
  }
}
