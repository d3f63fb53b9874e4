package io.tranche.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.policy.experience.Batching;
import io.tranche.trainer.callback.Better;
import io.tranche.trainer.callback.CheckpointConfig.Latest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QlibBinderTest {

  private static final String CONFIG =
      """
      simulator: {time_per_step: 30, vol_limit: null}
      env: {concurrency: 4, parallel_mode: dummy}
      action_interpreter: {class: CategoricalActionInterpreter, kwargs: {values: 4}}
      state_interpreter: {class: CurrentStepStateInterpreter, kwargs: {max_step: 8}}
      reward: {class: PPOReward, kwargs: {max_step: 8}}
      policy: {class: PPO, kwargs: {lr: 1.0e-4}}
      data:
        source:
          order_dir: orders
          feature_root_dir: features
          feature_columns_today: [$close0, $volume0]
          feature_columns_yesterday: []
          default_start_time_index: 0
          default_end_time_index: 240
      runtime: {}
      trainer:
        max_epoch: 2
        episode_per_collect: 3
        batch_size: 4
        repeat_per_collect: 5
      """;

  private final List<String> warnings = new ArrayList<>();

  @Test
  void fillsInTheDefaultsOfQlib() {
    ExecutionRun config = read();

    assertThat(config.isQlib()).isTrue();
    assertThat(config.validation().every()).isNull();
    assertThat(config.trainer().checkpoint().every()).isEqualTo(1);
    assertThat(config.validation().patience()).isNull();
    assertThat(config.trainer().folder()).isNull();
    assertThat(config.trainer().seed()).isZero();
    assertThat(config.agent().network()).isNull();
    assertThat(config.trainer().vessel().bufferSize()).isEqualTo(20_000);
    assertThat(config.trainer().vessel().update().repeat()).isEqualTo(5);
    assertThat(config.toConfig().required("simulator").required("data_granularity").asInt())
        .isEqualTo(1);
    assertThat(warnings).isEmpty();
  }

  @Test
  void minibatchesAreSingleStepsUnlessEpisodesAreAskedFor() {
    assertThat(read().trainer().vessel().update().batching()).isEqualTo(Batching.TRANSITIONS);

    ExecutionRun episodes = read("trainer.batching=episodes");

    assertThat(episodes.trainer().vessel().update().batching()).isEqualTo(Batching.EPISODES);
    assertThat(warnings).isEmpty();
    ExecutionRun again =
        ExecutionRun.read(
            ConfigFiles.parse("config.yml", episodes.toConfig().toYaml()), warnings::add);
    assertThat(again.trainer()).isEqualTo(episodes.trainer());
  }

  @Test
  void trainsWithoutAnEndIfMaxEpochIsNull() {
    assertThat(read("trainer.max_epoch=null").trainer().maxIterations()).isNull();
  }

  @Test
  void readsWhatIsOptional() {
    ExecutionRun config =
        read(
            "trainer.val_every_n_epoch=4",
            "trainer.checkpoint_path=out",
            "trainer.checkpoint_every_n_iters=3",
            "trainer.earlystop_patience=50",
            "runtime.seed=42",
            "network={class: Recurrent}");

    assertThat(config.validation().every()).isEqualTo(4);
    assertThat(config.trainer().folder()).isEqualTo(Path.of("out"));
    assertThat(config.trainer().checkpoint().every()).isEqualTo(3);
    assertThat(config.validation().monitor()).isEqualTo("val/pa");
    assertThat(config.validation().patience()).isEqualTo(50);
    assertThat(config.trainer().seed()).isEqualTo(42);
    assertThat(config.agent().network()).isNotNull();
  }

  @Test
  void takesTheKeysOfOurOwnDialectBesideThoseOfQlib() {
    ExecutionRun run =
        read(
            "trainer.val_every_n_epoch=2",
            "trainer.earlystop_patience=3",
            "validation={monitor: val/reward, mode: min, min_delta: 0.1, baseline: 1, restore_best_weights: true, keep_best: 2}",
            "checkpoint={dirpath: saved, filename: 'a{iter}', save_latest: link, time_interval: 1.5, save_on_fit_end: false, keep: 4}",
            "log_writers=[{class: JsonLinesWriter}]",
            "callbacks=[{class: EarlyStopping, kwargs: {patience: 9}}]");

    assertThat(run.validation())
        .isEqualTo(
            new ValidationSettings(
                2,
                "val/reward",
                Better.LOWER,
                new ValidationSettings.Stopping(3, 0.1, 1.0, true),
                2,
                true,
                false));
    assertThat(run.trainer().checkpoint())
        .isEqualTo(
            new CheckpointSettings(
                Path.of("saved"), "a{iter}", Latest.LINK, 1, Duration.ofMillis(1500), false, 4));
    assertThat(run.logWriters()).hasSize(1);
    assertThat(run.callbacks()).hasSize(1);
    assertThat(warnings).isEmpty();
    ExecutionRun again =
        ExecutionRun.read(ConfigFiles.parse("config.yml", run.toConfig().toYaml()), warnings::add);
    assertThat(again.validation()).isEqualTo(run.validation());
    assertThat(again.trainer()).isEqualTo(run.trainer());
    assertThat(again.toConfig().toYaml()).isEqualTo(run.toConfig().toYaml());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "checkpoint.every_n_iters=2 | checkpoint.every_n_iters: expected one of the two keys that mean the same, the other is",
        "validation.patience=2 | validation.patience: expected one of the two keys that mean the same, the other is",
        "validation.every=2 | validation.every: expected one of the two keys that mean the same, the other is",
        "checkpoint.filname=x | checkpoint: expected a key out of [dirpath, every_n_iters, filename, keep, save_latest, save_on_fit_end, time_interval] (nearest: filename), was 'filname'",
        "validation.patient=2 | (nearest: patience), was 'patient'"
      })
  void ourKeysMayNotContradictThoseOfQlib(String assignment, String complaint) {
    assertThatThrownBy(
            () ->
                read(
                    "trainer.val_every_n_epoch=2",
                    "trainer.earlystop_patience=3",
                    "trainer.checkpoint_every_n_iters=1",
                    assignment))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void theResolvedConfigurationReadsBackTheSame() {
    ExecutionRun config = read("trainer.earlystop_patience=50");

    ExecutionRun again =
        ExecutionRun.read(
            ConfigFiles.parse("config.yml", config.toConfig().toYaml()), warnings::add);

    assertThat(again.toConfig().toYaml()).isEqualTo(config.toConfig().toYaml());
    assertThat(again.validation()).isEqualTo(config.validation());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "simulator.time_per_step=half | simulator.time_per_step: expected an integer, was 'half'",
        "simulator.data_granularity=7 | simulator.time_per_step: expected a multiple of simulator.data_granularity, which is 7, was 30",
        "simulator.data_granularity=0 | simulator.data_granularity: expected an integer of at least 1, was 0",
        "simulator.vol_limit=-1 | simulator.vol_limit: expected a number of at least 0.0, was -1",
        "env.concurrency=0 | env.concurrency: expected an integer of at least 1, was 0",
        "env.parallel_mode=dumy | env.parallel_mode: expected a word out of [dummy, shmem, subproc] (nearest: dummy), was 'dumy'",
        "env.extra_module_paths=3 | env.extra_module_paths: expected a list, was 3",
        "action_interpreter=3 | action_interpreter: expected a mapping, was 3",
        "state_interpreter.class=null | state_interpreter.class: expected a text, was null",
        "reward.kwargs=[] | reward.kwargs: expected a mapping, was a list of 0",
        "network=Recurrent | network: expected a mapping, was 'Recurrent'",
        "policy.class=.PPO | policy.class: expected a name such as PPO or package.module.PPO, was '.PPO'",
        "data.source.order_dir=3 | data.source.order_dir: expected a text, in quotes if need be, was 3",
        "data.source.feature_root_dir=[] | data.source.feature_root_dir: expected a single value, was a list of 0",
        "data.source.feature_columns_today=[$close] | data.source.feature_columns_today: expected a list with [$close0, $volume0], was a list of 1",
        "data.source.feature_columns_yesterday=x | data.source.feature_columns_yesterday: expected a list, was 'x'",
        "data.source.default_start_time_index=-1 | data.source.default_start_time_index: expected an integer that is not negative, was -1",
        "data.source.default_end_time_index=0 | data.source.default_end_time_index: expected an integer of at least 1, was 0",
        "data.source.default_start_time_index=240 | data.source.default_end_time_index: expected more than data.source.default_start_time_index, 240, was 240",
        "runtime.seed=x | runtime.seed: expected an integer, was 'x'",
        "runtime.seed=-1 | runtime.seed: expected an integer that is not negative, was -1",
        "runtime.use_cuda=maybe | runtime.use_cuda: expected true or false, was 'maybe'",
        "trainer.max_epoch=1.5 | trainer.max_epoch: expected an integer, was 1.5",
        "trainer.episode_per_collect=0 | trainer.episode_per_collect: expected an integer of at least 1, was 0",
        "trainer.batch_size=x | trainer.batch_size: expected an integer, was 'x'",
        "trainer.repeat_per_collect=[] | trainer.repeat_per_collect: expected a single value, was a list of 0",
        "trainer.val_every_n_epoch=0 | trainer.val_every_n_epoch: expected an integer of at least 1, was 0",
        "trainer.checkpoint_path=3 | trainer.checkpoint_path: expected a text, in quotes if need be, was 3",
        "trainer.checkpoint_every_n_iters=0 | trainer.checkpoint_every_n_iters: expected an integer of at least 1, was 0",
        "trainer.earlystop_patience=-1 | trainer.earlystop_patience: expected an integer that is not negative, was -1"
      })
  void answersAWrongValueWithItsPath(String assignment, String complaint) {
    assertThatThrownBy(() -> read(assignment))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(complaint);
  }

  @ParameterizedTest
  @CsvSource({
    "time_per_step, simulator.time_per_step",
    "vol_limit, simulator.vol_limit",
    "concurrency, env.concurrency",
    "parallel_mode, env.parallel_mode",
    "action_interpreter, action_interpreter",
    "state_interpreter, state_interpreter",
    "reward, reward",
    "policy, policy",
    "order_dir, data.source.order_dir",
    "feature_root_dir, data.source.feature_root_dir",
    "feature_columns_today, data.source.feature_columns_today",
    "feature_columns_yesterday, data.source.feature_columns_yesterday",
    "default_start_time_index, data.source.default_start_time_index",
    "default_end_time_index, data.source.default_end_time_index",
    "max_epoch, trainer.max_epoch",
    "episode_per_collect, trainer.episode_per_collect",
    "batch_size, trainer.batch_size",
    "repeat_per_collect, trainer.repeat_per_collect"
  })
  void namesWhatIsMissing(String key, String path) {
    String without = CONFIG.replaceFirst("\\b" + key + ": (\\{[^\n]*}|\\[[^\n]*?]|[^,}\n]*)", "");
    ConfigNode config =
        ConfigFiles.parse("train.yml", without.replace("{, ", "{").replace(", }", "}"));

    assertThatThrownBy(() -> ExecutionRun.read(config, warnings::add))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(path + ": expected a value, was missing");
  }

  @Test
  void warnsOfWhatItIgnores() {
    ConfigNode config =
        ConfigFiles.parse(
            "train.yml",
            CONFIG
                    .replace("runtime: {}", "runtime: {use_cuda: true, cuda: 1}")
                    .replace(
                        "parallel_mode: dummy", "parallel_mode: dummy, extra_module_paths: [mine]")
                + "speling: 1\n");

    ExecutionRun.read(config, warnings::add);

    assertThat(warnings)
        .hasSize(4)
        .anyMatch(text -> text.contains("extra_module_paths: no Python is run here"))
        .anyMatch(text -> text.contains("use_cuda: there is no CUDA here"))
        .anyMatch(
            text -> text.contains("runtime: expected a key out of") && text.contains("'cuda'"))
        .anyMatch(text -> text.contains("'speling'"));
  }

  @Test
  void refusesAnUnknownKeyThatWasTyped() {
    assertThatThrownBy(() -> read("trainer.max_epch=3"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--set:1: trainer: expected a key out of")
        .hasMessageContaining("(nearest: max_epoch), was 'max_epch'");
    assertThatThrownBy(() -> read("trainers.max_epoch=3"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("(nearest: trainer), was 'trainers'");
  }

  private ExecutionRun read(String... assignments) {
    ConfigNode config = ConfigFiles.parse("train.yml", CONFIG);
    for (String assignment : assignments) {
      config = config.with(assignment);
    }
    return ExecutionRun.read(config, warnings::add);
  }
}
