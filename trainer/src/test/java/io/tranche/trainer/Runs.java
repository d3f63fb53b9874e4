package io.tranche.trainer;

import io.tranche.env.ParallelFor;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.network.Mlp;
import io.tranche.policy.network.Network;
import io.tranche.policy.ppo.Ppo;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.tensor.layer.Layers;
import io.tranche.trainer.Walk.Seen;
import io.tranche.trainer.callback.BestCheckpoints;
import io.tranche.trainer.callback.Better;
import io.tranche.trainer.callback.CheckpointConfig;
import io.tranche.trainer.callback.CheckpointWriter;
import io.tranche.trainer.callback.EarlyStopping;
import io.tranche.trainer.callback.EarlyStoppingConfig;
import io.tranche.trainer.callback.MetricsWriter;
import io.tranche.trainer.callback.RunLog;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Small runs that write all files of a real run.
final class Runs {

  static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

  /// One linear layer on position and target.
  private static final Network.Factory<Seen> NETWORK =
      Mlp.factory(
          (seen, data, at) -> {
            data[at] = seen.position() / 3f;
            data[at + 1] = seen.target() / 3f;
            data[at + 2] = Integer.signum(seen.target() - seen.position());
          },
          3,
          Layers.dense(8));

  private Runs() {}

  static Ppo<Seen> ppo(ParallelFor parallel) {
    ActorCritic<Seen> agent = ActorCritic.create(NETWORK, 3, new SplittableRandom(5));
    return new Ppo<>(agent, PpoConfig.QLIB.withLearningRate(1e-2), parallel);
  }

  static TrainingVessel<Integer, Seen> vessel(Algorithm<Seen> algorithm) {
    return new TrainingVessel<>(
        Walk.problem(),
        algorithm,
        Walk.targets(10),
        Walk.targets(7),
        Walk.targets(5),
        new VesselConfig(400, 8, new UpdateSettings(16, 2, Batching.EPISODES)));
  }

  static TrainerConfig config(int iterations, int threads) {
    return config(iterations, threads, null);
  }

  static TrainerConfig config(int iterations, int threads, @Nullable Integer fastDevRun) {
    return TrainerConfig.of(11, 4)
        .withMaxIterations(iterations)
        .withValidateEvery(2)
        .withThreads(threads)
        .withFastDevRun(fastDevRun)
        .withResolvedConfig("trainer: test\n");
  }

  /// Returns a trainer whose callbacks write metrics and one checkpoint per iteration to `folder`.
  static Trainer trainer(TrainerConfig config, Path folder) {
    return new Trainer(config, callbacks(folder), List.of());
  }

  static List<Callback> callbacks(Path folder) {
    return List.of(
        new MetricsWriter(folder),
        new RunLog(folder.resolve("metrics.jsonl")),
        new CheckpointWriter(CheckpointConfig.every(1, folder.resolve("checkpoints")), CLOCK),
        new BestCheckpoints(folder.resolve("best"), "val/reward", Better.HIGHER, 2),
        new EarlyStopping(
            new EarlyStoppingConfig("val/reward", 0, 50, Better.HIGHER, null, true, false)));
  }
}
