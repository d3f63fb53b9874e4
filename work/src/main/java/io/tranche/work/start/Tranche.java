package io.tranche.work.start;

import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.trainer.ProblemRun;
import io.tranche.trainer.TrainingProgress;
import io.tranche.work.judge.Deployment;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/// The entry for Java programs.
///
/// [#run] is the native recipe for order execution, to be changed with its `with` methods; [#train]
/// trains it. [#problem] is the same for a problem of the user's own.
///
/// ```java
/// ExecutionRun run =
///     Tranche.run().withBars(Path.of("bars.csv")).withAlgorithm(PpoConfig.DEFAULT.withClip(0.2));
/// try (TrainedAgent agent = Tranche.train(run, Path.of("runs/mine"))) {
///   IO.println(agent.judge().assessment().verdict().sentence());
///   agent.export(Path.of("model.tranche"));
/// }
/// ```
public final class Tranche {

  private Tranche() {}

  /// Returns the native recipe; only its data are still to be named.
  public static ExecutionRun run() {
    return ExecutionRun.DEFAULT;
  }

  /// Returns a run of a problem of the user's own.
  ///
  /// @param starts what episodes of training begin with
  public static <I, O extends Observation> ProblemRun<I, O> problem(
      Problem<I, ?, ?, O> problem, List<I> starts) {
    return ProblemRun.of(problem, starts);
  }

  /// Trains a run without telling anybody how it goes.
  ///
  /// @param folder the run folder; an earlier run in it is replaced
  /// @throws io.tranche.config.ConfigException if a part is unknown, wrong, or does not go with the
  ///   others
  /// @throws io.tranche.market.DataException if data are missing or wrong
  /// @throws io.tranche.trainer.TrainingException if training diverges
  public static TrainedAgent train(ExecutionRun run, Path folder) {
    return train(run, TrainingOptions.in(folder), TrainingProgress.NONE);
  }

  /// Trains a run.
  ///
  /// @param progress is told how training goes
  /// @throws io.tranche.config.ConfigException as above
  public static TrainedAgent train(
      ExecutionRun run, TrainingOptions options, TrainingProgress progress) {
    TrainingRun<?> training = open(run, options, progress);
    try {
      training.train(null);
      Deployment.choose(training, new RunFolder(options.folder()));
      return TrainedAgent.of(training, options.folder());
    } catch (RuntimeException e) {
      training.close();
      throw e;
    }
  }

  /// Opens a run that was trained earlier, perhaps in another process.
  ///
  /// @param run as it was trained, with its objects from Java
  /// @throws io.tranche.policy.weights.CheckpointException if there are no weights, or those of
  ///   another model
  public static TrainedAgent open(ExecutionRun run, Path folder) {
    TrainingRun<?> training = open(run, TrainingOptions.in(folder), TrainingProgress.NONE);
    try {
      return TrainedAgent.of(training, folder);
    } catch (RuntimeException e) {
      training.close();
      throw e;
    }
  }

  private static TrainingRun<?> open(
      ExecutionRun run, TrainingOptions options, TrainingProgress progress) {
    return TrainingRun.open(run, options, (_, _, _) -> {}, progress, Clock.systemUTC());
  }
}
