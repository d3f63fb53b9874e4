package io.tranche.run;

import io.tranche.env.vector.OnFailure;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.trainer.VesselConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How a run trains.
///
/// @param seed where all randomness of training comes from
/// @param threads null for as many as there are cores; changes no result
/// @param mode where environments run; changes no result
/// @param concurrency number of orders simulated in parallel; changing it changes the run
/// @param maxIterations when to stop; null for never
/// @param fastDevRun how many orders each stage is reduced to, to try a run out; null for all
/// @param folder the run folder that the configuration asks for, or null
/// @param checkpointEvery how many iterations lie between two checkpoints; null for none but the
///   last
public record TrainerSettings(
    long seed,
    @Nullable Integer threads,
    ParallelMode mode,
    int concurrency,
    @Nullable Integer maxIterations,
    VesselConfig vessel,
    OnFailure onFailure,
    @Nullable Integer fastDevRun,
    @Nullable Path folder,
    @Nullable Integer checkpointEvery) {

  /// The native recipe: 80 iterations take about 40 seconds of one core on the embedded market;
  /// after that, validation gains no more.
  public static final TrainerSettings DEFAULT =
      new TrainerSettings(
          1,
          null,
          ParallelMode.SHMEM,
          100,
          80,
          new VesselConfig(
              VesselConfig.BUFFER_SIZE, 1000, new UpdateSettings(1024, 5, Batching.EPISODES)),
          OnFailure.QUARANTINE,
          null,
          null,
          1);

  public TrainerSettings withSeed(long other) {
    return new TrainerSettings(
        other,
        threads,
        mode,
        concurrency,
        maxIterations,
        vessel,
        onFailure,
        fastDevRun,
        folder,
        checkpointEvery);
  }

  /// @param count null for as many as there are cores
  public TrainerSettings withThreads(@Nullable Integer count) {
    return new TrainerSettings(
        seed,
        count,
        mode,
        concurrency,
        maxIterations,
        vessel,
        onFailure,
        fastDevRun,
        folder,
        checkpointEvery);
  }

  /// @param count null for no end
  public TrainerSettings withMaxIterations(@Nullable Integer count) {
    return new TrainerSettings(
        seed,
        threads,
        mode,
        concurrency,
        count,
        vessel,
        onFailure,
        fastDevRun,
        folder,
        checkpointEvery);
  }

  public TrainerSettings withVessel(VesselConfig other) {
    return new TrainerSettings(
        seed,
        threads,
        mode,
        concurrency,
        maxIterations,
        other,
        onFailure,
        fastDevRun,
        folder,
        checkpointEvery);
  }

  /// @param orders null for all
  public TrainerSettings withFastDevRun(@Nullable Integer orders) {
    return new TrainerSettings(
        seed,
        threads,
        mode,
        concurrency,
        maxIterations,
        vessel,
        onFailure,
        orders,
        folder,
        checkpointEvery);
  }
}
