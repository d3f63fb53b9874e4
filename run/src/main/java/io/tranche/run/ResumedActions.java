package io.tranche.run;

import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigNode;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.space.Space;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.interpreter.ContinuousActions;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.nio.file.Path;

/// Refuses to go on from a checkpoint whose weights mean other actions: with the same number of
/// outputs they would be read without a word.
final class ResumedActions {

  private ResumedActions() {}

  /// @param part the action interpreter of the run that goes on
  /// @param made the same
  /// @throws CheckpointException if that of the checkpoint reads actions otherwise
  static void requireSame(Part<?> part, ActionInterpreter<?, ?> made, Path from) {
    ConfigNode config = ExecutionRun.config(from, CheckpointFile.read(from));
    ConfigNode interpreter = config == null ? null : config.optional("action_interpreter");
    if (interpreter == null || !interpreter.isMapping()) {
      return; // an object from Java
    }
    Space now = made.actionSpace();
    Space earlier =
        ExecutionCatalog.actionInterpreters()
            .withInstalled()
            .make(ComponentSpec.from(interpreter))
            .actionSpace();
    if (!earlier.equals(now)) {
      throw wrong(from, described(now), described(earlier));
    }
    // The numbers of two dials have one space, whatever the dials turn.
    if (made instanceof ContinuousActions numbers && numbers.numbers() > 0) {
      String here = part.describe().toLine();
      String there = interpreter.toLine();
      if (!here.equals(there)) {
        throw wrong(from, here, there);
      }
    }
  }

  private static CheckpointException wrong(Path from, String now, String earlier) {
    return new CheckpointException(
        from + ": action_interpreter", "the actions of this run, " + now, earlier);
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
