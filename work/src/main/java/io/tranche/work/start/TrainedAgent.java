package io.tranche.work.start;

import io.tranche.analysis.judge.Judgement;
import io.tranche.policy.agent.Agent;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.PolicyResults;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.ModelSpec.Combination;
import io.tranche.work.export.ExportInput;
import io.tranche.work.export.ModelExport;
import io.tranche.work.export.OpenedModel;
import io.tranche.work.judge.TrainedRun;
import java.nio.file.Path;
import java.util.List;

/// A trained agent with the weights that were best in validation, or the last ones without a
/// validation. Holds the lock of its run folder until it is closed.
public final class TrainedAgent implements AutoCloseable {

  private final TrainingRun<?> training;
  private final Path folder;
  private final Path checkpoint;

  private TrainedAgent(TrainingRun<?> training, Path folder, Path checkpoint) {
    this.training = training;
    this.folder = folder;
    this.checkpoint = checkpoint;
  }

  static TrainedAgent of(TrainingRun<?> training, Path folder) {
    String metric = training.run().monitor();
    Path checkpoint = RunCheckpoints.bestOrLast(new RunFolder(folder), metric).file();
    training.load(checkpoint);
    return new TrainedAgent(training, folder, checkpoint);
  }

  /// Returns the run folder, with checkpoints, metrics and data.
  public Path folder() {
    return folder;
  }

  /// Returns the file of its weights.
  public Path checkpoint() {
    return checkpoint;
  }

  public Agent<?> agent() {
    return training.algorithm().agent();
  }

  /// Returns the run itself, for what is not here.
  public TrainingRun<?> training() {
    return training;
  }

  /// Compares the agent with TWAP and other yardsticks on the test orders.
  public Judgement judge() {
    return TrainedRun.of(training, TrainedRun.Input.OWN).judgement();
  }

  /// Executes the test orders in the run's simulator.
  public PolicyResults backtest() {
    return backtest(TrainedRun.Input.OWN);
  }

  /// Executes other orders on the run's bars.
  ///
  /// @param orders a file or a folder
  public PolicyResults backtest(Path orders) {
    return backtest(new TrainedRun.Input(orders, null, null, false));
  }

  private PolicyResults backtest(TrainedRun.Input input) {
    return TrainedRun.of(training, input).play("the agent", null);
  }

  /// Writes a model bundle, which a runtime or a service opens.
  ///
  /// @throws io.tranche.config.ConfigException if a part that decisions depend on is an object from
  ///   Java, which no other process could make
  public void export(Path file) {
    training.run().rejectDecidingObjects("exported models");
    var input = new ExportInput(List.of(checkpoint), folder, "the best in validation");
    var export =
        new ModelExport(null, Combination.MEAN, null, null, null, (_, _, _) -> {}, _ -> {});
    try (OpenedModel model = export.open(input)) {
      BundleFile.write(file, model.bundle());
    }
  }

  @Override
  public void close() {
    training.close();
  }
}
