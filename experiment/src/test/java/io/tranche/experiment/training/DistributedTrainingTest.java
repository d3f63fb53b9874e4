package io.tranche.experiment.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigNode;
import io.tranche.experiment.work.Workplace;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Training with the help of others leaves what training alone leaves, to the byte.
class DistributedTrainingTest {

  @TempDir Path folder;

  private Path at(String name) {
    return folder.resolve(name);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void anyNumberOfWorkersLeavesTheSameRun(int workers) throws IOException {
    ConfigNode config = SmallRuns.config();
    SmallRuns.train(config, at("alone"), null, null);

    try (Workplace place = SmallRuns.threads(workers)) {
      SmallRuns.train(config, at("together"), place, null);
    }
    SmallRuns.train(config, at("disorder"), new Disorder(workers), null);

    SmallRuns.assertSame(at("alone"), at("together"));
    SmallRuns.assertSame(at("alone"), at("disorder"));
    assertThat(at("alone").resolve("checkpoints/003.ckpt")).exists();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "network={class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}",
        "policy={class: Ppo, kwargs: {learning_rate: 0.001, value_clip: true}}"
      })
  void gradientsThatOthersWorkOutAreTheSame(String setting) throws IOException {
    ConfigNode config = SmallRuns.config(setting);
    SmallRuns.train(config, at("alone"), null, null);

    try (Workplace place = SmallRuns.threads(3);
        var experiment = SmallRuns.open(config, at("together"), place, true)) {
      experiment.train(null);
    }
    try (var experiment = SmallRuns.open(config, at("disorder"), new Disorder(2), true)) {
      experiment.train(null);
    }

    SmallRuns.assertSame(at("alone"), at("together"));
    SmallRuns.assertSame(at("alone"), at("disorder"));
  }
}
