package io.tranche.trainer.callback;

import io.tranche.market.DataException;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Stops a run after the current iteration, so that it can be resumed, when somebody has put a file
/// into its folder: another process can ask for it. The file is deleted.
///
/// @param file such as `stop.request`
public record StopFile(Path file) implements Callback {

  @Override
  public void on(Hook hook, Trainer trainer) {
    boolean isBefore = hook == Hook.FIT_START; // asked of an earlier run
    if (!isBefore && hook != Hook.TRAIN_END) {
      return;
    }
    try {
      if (Files.deleteIfExists(file) && !isBefore) {
        trainer.progress().message("a stop was asked for in " + file);
        trainer.requestStop();
      }
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }
}
