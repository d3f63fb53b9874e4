package io.tranche.run.play;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.DeviationGuard;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The guard of a run, and the checkpoint that it was fitted to.
///
/// @param checkpoint its path, from the run folder
/// @param others the paths of checkpoints that act together with it, such as those of other seeds
public record GuardFile(String checkpoint, List<String> others, DeviationGuard guard) {

  private static final String CHECKPOINT = "checkpoint";
  private static final String OTHERS = "others";
  private static final String GUARD = "guard";

  public GuardFile {
    others = List.copyOf(others);
  }

  /// Reads a file.
  ///
  /// @return null if there is none
  /// @throws io.tranche.config.ConfigException if it is no guard
  public static @Nullable GuardFile read(Path file) {
    if (!Files.isRegularFile(file)) {
      return null;
    }
    var node = ConfigFiles.load(file);
    node.rejectUnknown(List.of(CHECKPOINT, OTHERS, GUARD));
    ConfigNode others = node.optional(OTHERS);
    return new GuardFile(
        node.required(CHECKPOINT).asText(),
        others == null ? List.of() : others.asTexts(),
        DeviationGuard.from(node.required(GUARD)));
  }

  /// Writes a file that appears only when it is complete.
  ///
  /// @throws DataException if it cannot be written
  public void write(Path file) {
    var root = new LinkedHashMap<String, @Nullable Object>();
    root.put(CHECKPOINT, checkpoint);
    if (!others.isEmpty()) {
      root.put(OTHERS, others);
    }
    root.put(GUARD, guard.describe());
    try {
      PendingFile.write(file, ConfigFiles.of("the guard", root).toYaml());
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }
}
