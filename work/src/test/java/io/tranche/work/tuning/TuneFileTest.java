package io.tranche.work.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TuneFileTest {

  private static final String SPACE = "space: {policy.kwargs.learning_rate: {values: [1, 2, 3]}}\n";

  @TempDir Path folder;

  @BeforeEach
  void writeTheTrainingFile() throws IOException {
    Files.writeString(
        folder.resolve("train.yml"),
        """
        tranche: 1
        data: {market: {instruments: 2, days: 20}}
        trainer: {max_iterations: 80}
        validation: {every: 4}
        """);
  }

  @Test
  void whatIsNotSaidFollowsFromTheTrainingFile() {
    TuneConfig config = read("trials: 3");

    assertThat(config.metric()).isEqualTo("val/pa");
    assertThat(config.higherIsBetter()).isTrue();
    assertThat(config.iterations()).isEqualTo(80);
    assertThat(config.schedule().rungs()).containsExactly(4, 12, 36, 80);
    assertThat(config.schedule().parallel()).isEqualTo(8);
    assertThat(config.triesBase()).isTrue();
  }

  @Test
  void rungsAreWhereTheMetricIsKnown() {
    assertThat(read("trials: 3\nmin_iterations: 5\nreduction: 2").schedule().rungs())
        .containsExactly(8, 12, 20, 40, 80);
    assertThat(read("trials: 3\nmetric: reward\niterations: 9").schedule().rungs())
        .containsExactly(1, 3, 9);
    assertThat(read("trials: 3\nsearch: random\niterations: 8").schedule().rungs())
        .containsExactly(8);
    assertThat(read("search: grid").schedule().rungs()).containsExactly(80);
  }

  @Test
  void theResolvedFileIsTheSameSearch() throws IOException {
    TuneConfig config = read("trials: 2\nmode: min\nmedian_stopping: {after: 8, trials: 5}");

    Path resolved = Files.writeString(folder.resolve("resolved.yml"), config.resolved().toYaml());
    TuneConfig again = TuneFile.read(resolved, _ -> {});

    assertThat(again.resolved().toYaml()).isEqualTo(config.resolved().toYaml());
    assertThat(again.trials()).isEqualTo(config.trials());
    assertThat(again.schedule().median()).isEqualTo(new MedianRule(8, 4, 5));
    assertThat(again.identity()).isEqualTo(read("trials: 3\nmode: min").identity());
    assertThat(again.identity()).isNotEqualTo(read("trials: 2\nmode: min\nseed: 2").identity());
  }

  @Test
  void qlibsFilesAreTunedAsTheyAre() throws IOException {
    Files.writeString(
        folder.resolve("qlib.yml"),
        """
        simulator: {time_per_step: 30, vol_limit: null}
        env: {concurrency: 2, parallel_mode: dummy}
        action_interpreter: {class: CategoricalActionInterpreter, kwargs: {values: 4}, module_path: qlib.rl.order_execution.interpreter}
        state_interpreter: {class: FullHistoryStateInterpreter, kwargs: {}, module_path: qlib.rl.order_execution.interpreter}
        reward: {class: PAPenaltyReward, kwargs: {penalty: 100}, module_path: qlib.rl.order_execution.reward}
        policy: {class: PPO, kwargs: {lr: 1.0e-4}, module_path: qlib.rl.order_execution.policy}
        data:
          source:
            order_dir: orders
            feature_root_dir: pickles
            feature_columns_today: [$close0, $volume0]
            feature_columns_yesterday: []
            default_start_time_index: 0
            default_end_time_index: 240
        runtime: {seed: 42}
        trainer: {max_epoch: 6, episode_per_collect: 10, batch_size: 8, repeat_per_collect: 2, val_every_n_epoch: 2, checkpoint_path: ./out}
        """);
    Path file =
        Files.writeString(
            folder.resolve("tune.yml"),
            "tune: 1\nconfig: qlib.yml\nsearch: grid\nspace: {policy.kwargs.lr: {values: [1, 2]}}");

    TuneConfig config = TuneFile.read(file, _ -> {});

    assertThat(config.iterations()).isEqualTo(6);
    assertThat(config.runOf(config.trials().getLast()).toConfig().toYaml())
        .contains("lr: 2", "max_epoch: 6");
  }

  @Test
  void trialsDifferInTheirSettingsAndNothingElse() {
    TuneConfig config = read("search: grid\niterations: 8");

    String trial = config.runOf(config.trials().get(1)).toConfig().toYaml();
    String base = config.runOf(new Trial(0, List.of())).toConfig().toYaml();

    assertThat(trial.lines().sorted())
        .containsExactlyElementsOf(
            base.replace("learning_rate: 0.001", "learning_rate: 2").lines().sorted().toList());
    assertThat(base).contains("max_iterations: 8");
    assertThat(config.baseValue("policy.kwargs.learning_rate")).isEqualTo("0.001");
    assertThat(config.baseValue("policy.kwargs.nothing")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "trials: 4                              | trials: expected at most 3, the number of combinations, was 4",
        "search: random                         | trials: expected the number of trials to draw, was missing",
        "search: gird                           | search: expected a word",
        "trials: 0                              | trials: expected an integer of at least 1, was 0",
        "trils: 3                               | expected a key",
        "trials: 3; metric: 3                   | metric: expected a text",
        "trials: 3; mode: up                    | mode: expected a word",
        "trials: 3; iterations: 6               | iterations: expected a multiple of 4, so that the last iteration is validated, was 6",
        "trials: 3; reduction: 1                | reduction: expected an integer of at least 2, was 1",
        "trials: 3; min_iterations: 90          | min_iterations: expected at most iterations, which is 80, was 90",
        "trials: 3; median_stopping: {after: 3} | median_stopping.after: expected a multiple of 4",
        "trials: 3; median_stopping: {at: 3}    | median_stopping: expected a key",
        "trials: 3; search: random; reduction: 2| reduction: expected none, because only search: asha has it",
        "trials: 3; parallel: 0                 | parallel: expected an integer of at least 1, was 0",
        "trials: 3; base: 1                     | base: expected true or false",
        "search: grid; trials: 3                | trials: expected none",
        "trials: 3; seed: x                     | seed: expected an integer",
      })
  void whatIsNoSearchIsRefused(String text, String complaint) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> read(text.replace("; ", "\n")))
        .withMessageContaining(complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{tune: 2}                         | tune: expected version 1, was 2",
        "{config: train.yml}               | tune: expected a value, was missing",
        "{tune: 1}                         | config: expected a value, was missing",
        "{tune: 1, config: nothing.yml, space: {a: {values: [1]}}} | expected a file, was missing",
        "{tune: 1, config: {tranche: 1}, space: {a: {values: [1]}}} | data",
        "{tune: 1, config: train.yml}      | space: expected a value, was missing",
        "{tune: 1, config: train.yml, space: {validation.every: {values: [1]}}} | expected a setting that trials may differ in",
        "{tune: 1, config: train.yml, space: {trainer.max_iterations.x: {values: [1]}}} | expected a mapping around it",
        "{tune: 1, config: train.yml, search: grid, space: {a: {range: [1, 2]}}} | a: expected values, or a range with a step, because search is grid",
      })
  void whatIsNoTuningFileIsRefused(String text, String complaint) throws IOException {
    Path file = Files.writeString(folder.resolve("tune.yml"), text);

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> TuneFile.read(file, _ -> {}))
        .withMessageContaining(complaint);
  }

  @Test
  void aMetricOfValidationNeedsValidation() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("tune.yml"),
            "tune: 1\nconfig: {tranche: 1, data: {market: {seed: 1}}, validation: {every: null}}\n"
                + "trials: 1\n"
                + SPACE);

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> TuneFile.read(file, _ -> {}))
        .withMessageContaining("metric: expected a metric of training such as reward");
  }

  private TuneConfig read(String more) {
    try {
      Path file =
          Files.writeString(
              folder.resolve("tune.yml"), "tune: 1\nconfig: train.yml\n" + SPACE + more);
      return TuneFile.read(file, _ -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
