package io.tranche.work.judge;

import io.tranche.analysis.selection.Selection;
import io.tranche.execution.DeviationGuard;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunCheckpoints.Chosen;
import io.tranche.run.RunCheckpoints.Scored;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingRun;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Chooses what all verbs use of a run on real bars when its training ends: the checkpoint with the
/// best lower bound in validation, under a guard that is fitted to later days. More training then
/// never makes the result worse than less, because TWAP stays among the choices.
public final class Deployment {

  /// The number of checkpoints that are compared: the best by the validation metric.
  public static final int COMPARED = 10;

  private Deployment() {}

  /// Chooses, and writes the choice to `guard.yml` in the run folder.
  ///
  /// @return null if the run has no guard, or nothing to choose from
  public static @Nullable Chosen choose(TrainingRun<?> training, RunFolder folder) {
    boolean isGuarded = training.run().guards() && !training.run().problem().hindsight();
    if (!isGuarded || training.fastDevRun() != null || folder.earlierCheckpoints().isEmpty()) {
      return null;
    }
    String metric = training.run().monitor();
    List<Scored> all = RunCheckpoints.last(folder, metric, Integer.MAX_VALUE);
    List<Scored> validated =
        all.stream().filter(each -> each.score() != null).limit(COMPARED).toList();
    if (validated.isEmpty()) {
      var none = new DeviationGuard(0, "no checkpoint was validated");
      return write(folder, all.getFirst().file(), none);
    }
    TrainedRun<?> run = TrainedRun.forChoosing(training);
    Selection selection = run.select(validated, null, _ -> {});
    Path checkpoint = validated.get(selection.winner()).file();
    DeviationGuard guard = run.fitGuard(selection, checkpoint, null);
    return guard == null ? null : write(folder, checkpoint, guard);
  }

  private static Chosen write(RunFolder folder, Path checkpoint, DeviationGuard guard) {
    return Seeds.write(folder, List.of(checkpoint), guard);
  }
}
