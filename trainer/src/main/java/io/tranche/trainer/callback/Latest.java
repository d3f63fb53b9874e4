package io.tranche.trainer.callback;

import io.tranche.files.PendingFile;
import io.tranche.policy.weights.CheckpointException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// What stands for the newest checkpoint under a name that does not change.
final class Latest {

  private Latest() {}

  /// Makes `latest` beside `file`, with the same suffix, stand for it.
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

  /// Replaced by a rename: there is a latest one at every moment.
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
