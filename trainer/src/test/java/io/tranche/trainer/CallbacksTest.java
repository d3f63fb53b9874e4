package io.tranche.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.policy.weights.TrainerCheckpoint;
import io.tranche.trainer.callback.BestCheckpoints;
import io.tranche.trainer.callback.Better;
import io.tranche.trainer.callback.CheckpointConfig;
import io.tranche.trainer.callback.CheckpointConfig.Latest;
import io.tranche.trainer.callback.CheckpointWriter;
import io.tranche.trainer.callback.EarlyStopping;
import io.tranche.trainer.callback.EarlyStoppingConfig;
import io.tranche.trainer.callback.MetricsWriter;
import io.tranche.trainer.callback.RunLog;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallbacksTest {

  @TempDir Path folder;

  /// Replaces the results of validations by given values.
  private record Scripted(List<Double> values) implements Callback {
    @Override
    public void on(Hook hook, Trainer trainer) {
      if (hook == Hook.VALIDATE_END) {
        trainer.log("script", values.get((int) trainer.iterations()));
      }
    }
  }

  private static Trainer fit(Callback callback, double... values) {
    var scripted = new Scripted(Arrays.stream(values).boxed().toList());
    var config = Runs.config(values.length, 1).withValidateEvery(1);
    var trainer = new Trainer(config, List.of(scripted, callback), List.of());
    trainer.fit(Runs.vessel(new Remembering()));
    return trainer;
  }

  @Test
  void patienceOfNoneStopsAtTheFirstValidationThatIsNoBetter() {
    var stopping = new EarlyStopping(EarlyStoppingConfig.of("val/script", 0));

    assertThat(fit(stopping, 1, 2, 3, 3, 9).iterations()).isEqualTo(4);
    assertThat(stopping.best()).isEqualTo(3);
    assertThat(stopping.bestIteration()).isEqualTo(2);
  }

  @Test
  void qlibsPatienceOfNoneStopsAtTheSecondValidation() {
    var habit = new EarlyStoppingConfig("val/script", 0, 0, Better.HIGHER, null, false, true);

    assertThat(fit(new EarlyStopping(habit), 1, 2, 3, 3).iterations()).isEqualTo(2);
  }

  @Test
  void theBestWeightsComeBackAtTheStop() {
    var config = new EarlyStoppingConfig("val/script", 0.5, 2, Better.LOWER, null, true, false);
    var trainer = fit(new EarlyStopping(config), 5, 1, 0.8, 0.9, 0);
    var twin = new Trainer(Runs.config(2, 1).withValidateEvery(1), List.of(), List.of());
    twin.fit(Runs.vessel(new Remembering()));

    assertThat(trainer.iterations()).isEqualTo(4);
    assertThat(weights(trainer)).containsExactly(weights(twin));
  }

  private static float[] weights(Trainer trainer) {
    return trainer.policyWeights().stateDict().tensors().values().iterator().next().toArray();
  }

  @Test
  void theBestCheckpointsAreKept() throws IOException {
    var best = new BestCheckpoints(folder, "val/script", Better.HIGHER, 2);

    fit(best, 3, 1, Double.NaN, 4, 3, 5);

    assertThat(best.best())
        .containsExactly(new BestCheckpoints.Kept(6, 5), new BestCheckpoints.Kept(4, 4));
    assertThat(names()).containsExactly("best-004.ckpt", "best-006.ckpt");
    assertThat(CheckpointFile.read(best.file(best.best().getFirst())).position().iterations())
        .isEqualTo(6);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private void save(
      String filename, Latest latest, @Nullable Integer every, @Nullable Duration interval) {
    var config =
        new CheckpointConfig(folder, filename, latest, every, interval, true, null, false, false);
    long[] seconds = {0};
    var writer = new CheckpointWriter(config, () -> Instant.ofEpochSecond(seconds[0] += 10));
    fit(writer, 1, 2, 3, 4, 5);
  }

  @Test
  void savesEveryNthIterationAndTheLast() throws IOException {
    save("{iter:03d}", Latest.LINK, 2, null);

    assertThat(names()).containsExactly("002.ckpt", "004.ckpt", "005.ckpt", "latest.ckpt");
    assertThat(Files.readSymbolicLink(folder.resolve("latest.ckpt")))
        .isEqualTo(Path.of("005.ckpt"));
  }

  @Test
  void savesAfterAWhile() throws IOException {
    // The clock advances by ten seconds whenever it is read: for the check and for the save.
    save("{iter}-{val/script:.1f}-{time}.ckpt", Latest.NONE, null, Duration.ofSeconds(25));

    assertThat(names())
        .containsExactly(
            "1-1.0-19700101000010.ckpt", "4-4.0-19700101000050.ckpt", "5-5.0-19700101000110.ckpt");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{nope}", "{iter:zz}", "../{iter}", "{iter", ""})
  void aWrongTemplateIsTheUsersMistake(String template) {
    assertThatThrownBy(() -> save(template, Latest.COPY, 1, null))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("checkpoint.filename: expected");
  }

  @Test
  void writesQlibsLayoutBesideItsOwn() throws IOException {
    var config =
        new CheckpointConfig(folder, "{iter:03d}.pth", Latest.COPY, 1, null, true, null, true, true);
    fit(new CheckpointWriter(config, Runs.CLOCK), 1);

    assertThat(names()).containsExactly("001.ckpt", "001.pth", "latest.ckpt", "latest.pth");
    var qlib = TrainerCheckpoint.read(folder.resolve("latest.pth"));
    assertThat(qlib.currentIteration()).isEqualTo(1);
    assertThat(qlib.currentStage()).isEqualTo("val");
    assertThat(qlib.shouldStop()).isTrue();
    assertThat(qlib.metrics()).containsEntry("val/script", 1.0);
    assertThat(qlib.loggers()).containsOnlyKeys("logbuffer");
  }

  @Test
  void metricsFilesHoldEveryIteration() throws IOException {
    var writer = new MetricsWriter(folder.resolve("a/b"));
    fit(writer, 1, 2);
    var log = new RunLog(folder.resolve("c/metrics.jsonl"));
    fit(log, Double.NaN, 2);

    assertThat(Files.readAllLines(folder.resolve("a/b/validation_result.csv")))
        .hasSize(3)
        .first()
        .asString()
        .startsWith(",val/")
        .endsWith("val/script");
    assertThat(Files.readAllLines(folder.resolve("a/b/train_result.csv"))).hasSize(3);
    assertThat(Files.readAllLines(folder.resolve("c/metrics.jsonl")))
        .hasSize(2)
        .first()
        .asString()
        .startsWith("{\"iteration\":1,\"episode\":8,")
        .endsWith("\"val/script\":\"NaN\"}");
    assertThat(writer.state()).containsOnlyKeys("train", "validation");
    assertThatThrownBy(() -> writer.restore(Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("train must be a list, was null");
  }
}
