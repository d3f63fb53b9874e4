package io.tranche.work.start;

import io.tranche.analysis.judge.Judgement;
import io.tranche.execution.DeviationGuard;
import io.tranche.policy.agent.Agent;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunCheckpoints.Chosen;
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
import org.jspecify.annotations.Nullable;

/// A trained agent with the weights that were best in validation, or the last ones without a
/// validation. Holds the lock of its run folder until it is closed.
public final class TrainedAgent implements AutoCloseable {

  private final TrainingRun<?> training;
  private final Path folder;
  private final Chosen weights;

  private TrainedAgent(TrainingRun<?> training, Path folder, Chosen weights) {
    this.training = training;
    this.folder = folder;
    this.weights = weights;
  }

  static TrainedAgent of(TrainingRun<?> training, Path folder) {
    String metric = training.run().monitor();
    Chosen weights = RunCheckpoints.bestOrLast(new RunFolder(folder), metric);
    training.load(weights.file());
    return new TrainedAgent(training, folder, weights);
  }

  /// Returns the run folder, with checkpoints, metrics and data.
  public Path folder() {
    return folder;
  }

  /// Returns the file of its weights.
  public Path checkpoint() {
    return weights.file();
  }

  /// Returns how far it may deviate from TWAP; null for as far as it wants.
  public @Nullable DeviationGuard guard() {
    return weights.guard();
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
    return trained(TrainedRun.Input.OWN).judgement();
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
    return trained(input).play("the agent", null);
  }

  private TrainedRun<?> trained(TrainedRun.Input input) {
    TrainedRun<?> run = TrainedRun.of(training, input);
    run.load(weights);
    return run;
  }

  /// Writes a model bundle, which a runtime or a service opens.
  ///
  /// @throws io.tranche.config.ConfigException if a part that decisions depend on is an object from
  ///   Java, which no other process could make
  public void export(Path file) {
    training.run().rejectDecidingObjects("exported models");
    var input = new ExportInput(List.of(weights.file()), folder, "the best in validation", guard());
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
