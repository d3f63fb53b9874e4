package io.tranche.run;

import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigNode;
import io.tranche.env.space.Space;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.nio.file.Path;

/// Refuses to go on from a checkpoint whose weights mean other actions: with the same number of
/// outputs they would be read without a word.
final class ResumedActions {

  private ResumedActions() {}

  /// @param now the actions of the run that goes on
  /// @throws CheckpointException if those of the checkpoint are others
  static void requireSame(Space now, Path from) {
    ConfigNode config = ExecutionRun.config(from, CheckpointFile.read(from));
    ConfigNode interpreter = config == null ? null : config.optional("action_interpreter");
    if (interpreter == null || !interpreter.isMapping()) {
      return; // an object from Java
    }
    Space earlier =
        ExecutionCatalog.actionInterpreters()
            .withInstalled()
            .make(ComponentSpec.from(interpreter))
            .actionSpace();
    if (!earlier.equals(now)) {
      throw new CheckpointException(
          from + ": action_interpreter",
          "the actions of this run, " + described(now),
          described(earlier));
    }
  }

  private static String described(Space space) {
    return switch (space) {
      case Space.Discrete(int count) -> count + " choices";
      case Space.Box box when box.shape().isEmpty() ->
          "actions in [%s, %s]".formatted(box.low(), box.high());
      case Space.Box box ->
          "actions of %s numbers in [%s, %s]".formatted(box.shape(), box.low(), box.high());
      default -> space.toString();
    };
  }
}
