package io.tranche.trainer.callback;

import io.tranche.files.PendingFile;
import io.tranche.policy.weights.CheckpointException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Keeps `latest` pointing to the newest checkpoint.
final class Latest {

  private Latest() {}

  /// Makes `latest`, next to `file` and with the same suffix, a link to it or a copy of it.
  ///
  /// @param target what a link points to
  static void update(CheckpointConfig.Latest kind, Path file, Path target) {
    String name = file.getFileName().toString();
    Path latest = file.resolveSibling("latest" + name.substring(name.lastIndexOf('.')));
    try {
      switch (kind) {
        case LINK -> link(latest, target);
        case COPY -> copy(latest, file);
        case NONE -> {}
      }
    } catch (IOException e) {
      throw CheckpointException.unwritable(latest, e);
    }
  }

  /// Replaced by a rename, so that the link always exists.
  private static void link(Path latest, Path target) throws IOException {
    Path made = latest.resolveSibling("." + latest.getFileName() + ".link");
    Files.deleteIfExists(made);
    Files.createSymbolicLink(made, target);
    Files.move(made, latest, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void copy(Path latest, Path file) throws IOException {
    PendingFile.write(latest, path -> Files.copy(file, path, StandardCopyOption.REPLACE_EXISTING));
  }
}
