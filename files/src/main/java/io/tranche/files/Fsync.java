package io.tranche.files;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Forces a file, or the names in a folder, to disk.
public final class Fsync {

  private static final int MAX_CONCURRENT = 16;

  private Fsync() {}

  /// Creates a folder and those above it that are missing, so that they survive a power cut.
  public static void createFolders(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath();
    Path parent = absolute.getParent();
    if (parent != null && !Files.isDirectory(absolute)) {
      createFolders(parent);
      Files.createDirectories(absolute);
      force(parent);
    }
  }

  public static void force(Path path) throws IOException {
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /// Forces files or folders to disk, several at a time: the disk combines concurrent requests.
  static void forceAll(Collection<Path> paths) throws IOException {
    if (paths.size() == 1) {
      force(paths.iterator().next());
      return;
    }
    try (var threads = Executors.newFixedThreadPool(MAX_CONCURRENT, Thread.ofVirtual().factory())) {
      var tasks = new ArrayList<Future<?>>();
      for (Path path : paths) {
        tasks.add(
            threads.submit(
                () -> {
                  force(path);
                  return null;
                }));
      }
      for (Future<?> task : tasks) {
        task.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while forcing files to disk");
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
  }
}
