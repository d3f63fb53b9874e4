package io.tranche.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Forces a file, or the names in a folder, to disk.
public final class Fsync {

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
}
