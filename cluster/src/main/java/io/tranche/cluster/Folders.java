package io.tranche.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// Folders that are made for a while.
public final class Folders {

  private Folders() {}

  public static Path temporary(String prefix) {
    try {
      return Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary folder can be made", e);
    }
  }

  /// Deletes a folder with what is in it, as far as that is possible: somebody may still be writing
  /// there. Links are not followed.
  public static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        try {
          Files.deleteIfExists(file);
        } catch (IOException _) {
          // As below.
        }
      }
    } catch (IOException | UncheckedIOException _) {
      // What is left is in the system's folder for temporary files.
    }
  }
}
