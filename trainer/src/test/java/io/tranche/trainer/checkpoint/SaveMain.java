package io.tranche.trainer.checkpoint;

import io.tranche.market.DataException;
import java.nio.file.Path;

/// Saves one checkpoint after another in its own process, and prints a line for each.
final class SaveMain {

  private SaveMain() {}

  /// @param arguments the folder, how many, and how many weights each has more than the last
  public static void main(String[] arguments) {
    Path folder = Path.of(arguments[0]);
    int growth = Integer.parseInt(arguments[2]);
    for (int i = 1; i <= Integer.parseInt(arguments[1]); i++) {
      try {
        CheckpointFile.write(
            folder.resolve("%03d.ckpt".formatted(i)), Samples.checkpoint(i, growth * i));
        System.out.println("saved " + i);
      } catch (DataException e) {
        System.out.println(e.getMessage());
        return;
      }
    }
  }
}
