package io.tranche.experiment;

import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.vector.OnFailure;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.trainer.VesselConfig;
import io.tranche.trainer.callback.EarlyStoppingConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads our own training configuration (docs/configuration.md). What it does not know is an error.
final class NativeConfig {

  /// The key that marks a teacher's run.
  static final String HINDSIGHT = "hindsight";

  private static final long VERSION = 1;

  private static final ConfigNode DEFAULTS =
      ConfigFiles.parse(
          "the defaults",
          """
          tranche: 1
          hindsight: false
          distillation: null
          data:
            market: null
            bars: null
            features: null
            orders: {seed: 1}
            both_sides: true
            instruments: null
          env: {concurrency: 100, parallel_mode: shmem}
          runtime: {seed: 1, threads: null}
          trainer:
            max_iterations: 80
            episodes_per_iteration: 1000
            batch_size: 1024
            repeat: 5
            batching: episodes
            buffer_size: 20000
            start_near_twap: true
            on_failure: quarantine
            fast_dev_run: null
            checkpoint_path: null
            checkpoint_every: 1
          validation:
            every: 4
            monitor: val/pa
            patience: null
            keep_best: 1
            judge: true
          """);

  /// Components that stand in where a configuration names none.
  private static final ConfigNode COMPONENTS =
      ConfigFiles.parse(
          "the defaults",
          """
          simulator: {class: SimpleSimulator, kwargs: {ticks_per_step: 30}}
          state_interpreter: {class: FullHistoryInterpreter, kwargs: {mirror: true}}
          action_interpreter: {class: CategoricalInterpreter, kwargs: {shares: 4}}
          reward: {class: HoldingReward, kwargs: {scale: 0.01}}
          network: {class: RecurrentNetwork, kwargs: {hidden: 32, output: 16}}
          policy:
            class: Ppo
            kwargs: {learning_rate: 0.001, entropy_weight: 0.01}
          """);

  private NativeConfig() {}

  static RunConfig read(ConfigNode given) {
    var known = new ArrayList<>(DEFAULTS.keys());
    known.addAll(COMPONENTS.keys());
    given.rejectUnknown(known);
    ConfigNode version = given.required(RunConfig.MARK);
    if (version.asLong() != VERSION) {
      throw version.wrong("version " + VERSION);
    }
    ConfigNode config = given.over(DEFAULTS);
    for (String name : COMPONENTS.keys()) {
      config = config.with(name, component(given.written(name), COMPONENTS.required(name)));
    }
    Teacher teacher = teacher(config);
    return withDefaults(teacher == null ? config : teacher.writtenInto(config), teacher);
  }

  /// Returns the default component, with other settings where only those are given. One of another
  /// class is taken as it is: the settings of one class mean nothing to another.
  private static ConfigNode component(@Nullable ConfigNode given, ConfigNode byDefault) {
    if (given == null) {
      return byDefault;
    }
    if (given.isNull()) {
      return given;
    }
    given.rejectUnknown(ComponentSpec.KEYS);
    if (!given.has("class")) {
      return given.over(byDefault);
    }
    ComponentSpec.from(given);
    return given;
  }

  private static @Nullable Teacher teacher(ConfigNode config) {
    Teacher teacher = Teacher.of(config);
    if (teacher != null) {
      if (config.required(HINDSIGHT).asBoolean()) {
        throw config.required(HINDSIGHT).wrong("false, because students do not see the future");
      }
      ConfigNode name = config.required("policy").required("class");
      if (!name.asText().equals("Ppo")) {
        throw name.wrong("Ppo, which can be taught");
      }
    }
    return teacher;
  }

  private static RunConfig withDefaults(ConfigNode config, @Nullable Teacher teacher) {
    for (String section : List.of("data", "env", "runtime", "trainer", "validation")) {
      config.required(section).rejectUnknown(DEFAULTS.required(section).keys());
    }
    ConfigNode env = config.required("env");
    ConfigNode runtime = config.required("runtime");
    ConfigNode trainer = config.required("trainer");
    ConfigNode validation = config.required("validation");
    ConfigNode path = trainer.optional("checkpoint_path");
    ConfigNode keepBest = validation.required("keep_best");
    return new RunConfig(
        false,
        config,
        config.required(HINDSIGHT).asBoolean(),
        teacher,
        new NativeData(config),
        config.optional("network"),
        config.required("policy"),
        ParallelMode.from(env.required("parallel_mode")),
        env.required("concurrency").asCount(),
        RunConfig.countOrNull(runtime, "threads"),
        RunConfig.seed(runtime.required("seed")),
        RunConfig.countOrNull(trainer, "max_iterations"),
        RunConfig.countOrNull(validation, "every"),
        validation.required("judge").asBoolean(),
        trainer.required("start_near_twap").asBoolean(),
        RunConfig.countOrNull(trainer, "fast_dev_run"),
        choice(trainer.required("on_failure"), OnFailure.values()),
        new VesselConfig(
            trainer.required("buffer_size").asCount(),
            trainer.required("episodes_per_iteration").asCount(),
            new UpdateSettings(
                trainer.required("batch_size").asCount(),
                trainer.required("repeat").asCount(),
                choice(trainer.required("batching"), Batching.values()))),
        path == null ? null : path.asPath(Path.of("")),
        RunConfig.countOrNull(trainer, "checkpoint_every"),
        earlyStopping(validation),
        validation.required("monitor").asText(),
        RunConfig.notNegative(keepBest));
  }

  private static @Nullable EarlyStoppingConfig earlyStopping(ConfigNode validation) {
    ConfigNode patience = validation.optional("patience");
    String monitor = validation.required("monitor").asText();
    return patience == null
        ? null
        : EarlyStoppingConfig.of(monitor, RunConfig.notNegative(patience));
  }

  private static <E extends Enum<E>> E choice(ConfigNode node, E[] constants) {
    var names = new ArrayList<String>();
    for (E constant : constants) {
      names.add(constant.name().toLowerCase(Locale.ROOT));
    }
    return constants[names.indexOf(node.asChoice(names))];
  }
}
