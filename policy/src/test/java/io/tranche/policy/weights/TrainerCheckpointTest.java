package io.tranche.policy.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.tranche.testkit.Shared;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainerCheckpointTest {

  @TempDir Path folder;

  @Test
  void readsWhatTheTrainerOfQlibSaves() {
    var checkpoint = TrainerCheckpoint.read(Samples.file("checkpoint.pth"));

    assertThat(checkpoint.shouldStop()).isFalse();
    assertThat(checkpoint.currentIteration()).isEqualTo(4);
    assertThat(checkpoint.currentEpisode()).isEqualTo(4600);
    assertThat(checkpoint.currentStage()).isEqualTo("val");
    assertThat(checkpoint.metrics())
        .containsExactly(entry("reward", 0.125), entry("val/ffr", 1.0), entry("count", 3.0));
    assertThat(checkpoint.callbacks()).containsEntry("checkpoint", null);
    assertThat(checkpoint.callbacks().get("earlystopping"))
        .isInstanceOfSatisfying(
            Map.class,
            state -> {
              assertThat(state.get("best")).isEqualTo(6.5);
              assertThat(state.get("best_weights"))
                  .isInstanceOfSatisfying(
                      StateDict.class, best -> SameTensors.assertSame(best, checkpoint.policy()));
            });
    assertThat(checkpoint.loggers())
        .containsExactly(
            entry(
                "logbuffer",
                Map.of(
                    "global_step",
                    98_765_432_100L,
                    "active_env_ids",
                    List.of(0L, 1L),
                    "episode_rewards",
                    Map.of(0L, List.of(0.25, 0.5), 1L, List.of()),
                    "episode_logs",
                    Map.of(0L, List.of(List.of("a", true))))));
    assertThat(checkpoint.more()).isEmpty();
  }

  @Test
  void comesBackWhole() {
    Path file = folder.resolve("001.pth");
    Map<String, @Nullable Object> callbacks = new LinkedHashMap<>();
    callbacks.put("metricswriter", null);
    var written =
        new TrainerCheckpoint(
            PolicyWeights.ppo(Samples.ppo(3)).stateDict(),
            callbacks,
            Map.of("logbuffer", Map.of("global_step", 7L)),
            true,
            1,
            1L << 40,
            "train",
            Map.of("reward", 0.1),
            Map.of("optimizer", List.of(1.5)));

    written.write(file);

    var read = TrainerCheckpoint.read(file);
    SameTensors.assertSame(read.policy(), written.policy());
    SameTensors.assertSame(TorchFile.readPolicy(file), written.policy());
    assertThat(read).usingRecursiveComparison().ignoringFields("policy").isEqualTo(written);
  }

  @Test
  void saysWhatIsNotThere() {
    assertThatThrownBy(() -> TrainerCheckpoint.read(Samples.file("plain.pth")))
        .isInstanceOf(CheckpointException.class)
        .hasMessageEndingWith(
            "plain.pth: expected a checkpoint of a trainer, was a state dict of 2 tensors");

    Path file = folder.resolve("a.pth");
    TorchFile.write(file, Map.of("vessel", Map.of("policy", 1)));
    assertThatThrownBy(() -> TrainerCheckpoint.read(file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageEndingWith("expected a state dict in vessel.policy, was 1");
  }

  @Test
  void readsCheckpointsOfARealRun() {
    Path folder = Shared.orSkip("qlib-run/outputs/opds/checkpoints");

    var best = TrainerCheckpoint.read(folder.resolve("004.pth"));
    var latest = TrainerCheckpoint.read(folder.resolve("latest.pth"));

    assertThat(best.policy().tensors()).hasSize(104).hasSameSizeAs(latest.policy().tensors());
    assertThat(best.policy().tensors().values().stream().distinct().count()).isEqualTo(28);
    assertThat(best.metrics()).containsKeys("val/reward", "val/ffr");
    assertThat(best.callbacks()).containsKeys("checkpoint", "earlystopping");
    SameTensors.assertSame(WeightFiles.read(folder.resolve("004.pth")), best.policy());
  }
}
