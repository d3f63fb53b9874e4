package io.tranche.run;

import io.tranche.market.Order;
import io.tranche.policy.agent.Agent;
import io.tranche.trainer.rollout.Rollouts;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What is said about a training run outside its configuration. None of it changes a result, except
/// that a `fastDevRun` is a smaller run.
///
/// @param folder the run folder
/// @param threads null for what the run says
/// @param fastDevRun how many orders each stage is reduced to; null for what the run says
/// @param stopAfter how many iterations a trial has so far: one of many runs that are compared with
///   each other, on one thread, with one checkpoint at its end. Null for a run of its own
/// @param skipsBad whether orders that cannot be executed are left out; otherwise they end training
///   before it begins
/// @param elsewhere plays episodes in other processes before the trainer repeats them; null if
///   nobody does
public record TrainingOptions(
    Path folder,
    @Nullable Integer threads,
    @Nullable Integer fastDevRun,
    @Nullable Integer stopAfter,
    boolean skipsBad,
    @Nullable Elsewhere elsewhere) {

  /// Plays the episodes of a run in other processes.
  public interface RemotePlay extends Rollouts<Order>, AutoCloseable {

    @Override
    void close();
  }

  /// Opens what plays the episodes of a run in other processes.
  @FunctionalInterface
  public interface Elsewhere {

    /// @param agent made of `parts`; it plays
    RemotePlay open(RunParts<?> parts, Agent<?> agent);
  }

  /// Returns the options of a run that is as its configuration says, in this process.
  public static TrainingOptions in(Path folder) {
    return new TrainingOptions(folder, null, null, null, false, null);
  }

  /// Returns the options of a trial up to `iterations`. It can be resumed later; its checkpoint is
  /// the one that the whole run would have had there.
  public static TrainingOptions trial(Path folder, int iterations) {
    return new TrainingOptions(folder, 1, null, iterations, false, null);
  }

  /// Returns the same options for another run.
  public TrainingOptions in(RunFolder other) {
    return new TrainingOptions(other.folder(), threads, fastDevRun, stopAfter, skipsBad, elsewhere);
  }

  public TrainingOptions withThreads(@Nullable Integer count) {
    return new TrainingOptions(folder, count, fastDevRun, stopAfter, skipsBad, elsewhere);
  }

  public TrainingOptions withFastDevRun(@Nullable Integer orders) {
    return new TrainingOptions(folder, threads, orders, stopAfter, skipsBad, elsewhere);
  }

  public TrainingOptions skippingBad(boolean skips) {
    return new TrainingOptions(folder, threads, fastDevRun, stopAfter, skips, elsewhere);
  }

  public TrainingOptions withElsewhere(@Nullable Elsewhere other) {
    return new TrainingOptions(folder, threads, fastDevRun, stopAfter, skipsBad, other);
  }
}
