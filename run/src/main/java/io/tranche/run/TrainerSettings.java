package io.tranche.run;

import io.tranche.env.vector.OnFailure;
import io.tranche.execution.Augmentation;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.trainer.VesselConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How a run trains.
///
/// @param seed where all randomness of training comes from
/// @param threads null for as many as there are cores; changes no result
/// @param maxIterations when to stop; null for never
/// @param fastDevRun how many orders each stage is reduced to, to try a run out; null for all
/// @param folder the run folder that the configuration asks for, or null
/// @param augmentation how the orders of training are varied
public record TrainerSettings(
    long seed,
    @Nullable Integer threads,
    Env env,
    @Nullable Integer maxIterations,
    VesselConfig vessel,
    OnFailure onFailure,
    @Nullable Integer fastDevRun,
    @Nullable Path folder,
    CheckpointSettings checkpoint,
    Augmentation augmentation) {

  /// How episodes are played.
  ///
  /// @param concurrency number of orders simulated in parallel; changing it changes the run
  public record Env(int concurrency, ParallelMode mode) {}

  /// Which threads step the environments; changes no result. Qlib: `parallel_mode`.
  public enum ParallelMode {
    /// The trainer's own.
    DUMMY,
    /// Several.
    SHMEM,
    /// Several, as with `shmem`. Qlib forks processes here, because its interpreter runs one thread
    /// at a time.
    SUBPROC
  }

  /// The native recipe: 80 iterations take about 40 seconds of one core on the embedded market;
  /// after that, validation gains no more.
  public static final TrainerSettings DEFAULT =
      new TrainerSettings(
          1,
          null,
          new Env(100, ParallelMode.SHMEM),
          80,
          new VesselConfig(
              VesselConfig.BUFFER_SIZE, 1000, new UpdateSettings(1024, 5, Batching.EPISODES)),
          OnFailure.QUARANTINE,
          null,
          null,
          CheckpointSettings.DEFAULT,
          Augmentation.NONE);

  /// Returns the number of threads, that of the cores if none is stated.
  public int threadCount() {
    return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
  }

  public TrainerSettings withSeed(long other) {
    return new TrainerSettings(
        other,
        threads,
        env,
        maxIterations,
        vessel,
        onFailure,
        fastDevRun,
        folder,
        checkpoint,
        augmentation);
  }

  /// @param count null for as many as there are cores
  public TrainerSettings withThreads(@Nullable Integer count) {
    return new TrainerSettings(
        seed,
        count,
        env,
        maxIterations,
        vessel,
        onFailure,
        fastDevRun,
        folder,
        checkpoint,
        augmentation);
  }

  /// @param count null for no end
  public TrainerSettings withMaxIterations(@Nullable Integer count) {
    return new TrainerSettings(
        seed, threads, env, count, vessel, onFailure, fastDevRun, folder, checkpoint, augmentation);
  }

  public TrainerSettings withVessel(VesselConfig other) {
    return new TrainerSettings(
        seed,
        threads,
        env,
        maxIterations,
        other,
        onFailure,
        fastDevRun,
        folder,
        checkpoint,
        augmentation);
  }

  /// @param orders null for all
  public TrainerSettings withFastDevRun(@Nullable Integer orders) {
    return new TrainerSettings(
        seed,
        threads,
        env,
        maxIterations,
        vessel,
        onFailure,
        orders,
        folder,
        checkpoint,
        augmentation);
  }
}
