package io.tranche.run;

import io.tranche.backtest.Costs;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.vector.OnFailure;
import io.tranche.execution.Augmentation;
import io.tranche.execution.SimulatorSetup;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.run.DataSettings.QlibData;
import io.tranche.trainer.VesselConfig;
import io.tranche.trainer.callback.Better;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads Qlib's training configuration, as it is, into a run. Qlib:
/// `qlib.rl.contrib.train_onpolicy`.
///
/// Paths are relative to the working directory. Keys that Qlib does not know are ignored with a
/// warning.
final class QlibBinder {

  private static final ConfigNode DEFAULTS =
      ConfigFiles.of(
          "Qlib's defaults",
          Map.of(
              "simulator", Map.of("data_granularity", 1),
              "env", Map.of("extra_module_paths", List.of()),
              "runtime", Map.of("seed", 0, "use_cuda", false),
              "trainer", Map.of("checkpoint_every_n_iters", 1, "batching", "transitions")));

  private static final String VALIDATION = "validation";
  private static final String EVERY = "checkpoint_every_n_iters";
  private static final String PATIENCE = "earlystop_patience";
  private static final String VALIDATE_EVERY = "val_every_n_epoch";

  private static final List<String> VALIDATION_KEYS =
      List.of(
          "every",
          "monitor",
          "mode",
          "patience",
          "min_delta",
          "baseline",
          "restore_best_weights",
          "keep_best",
          "judge");

  private static final List<String> PARTS =
      List.of("action_interpreter", "state_interpreter", "reward", "policy");

  private static final String[] SECTIONS = {
    "simulator",
    "env",
    "action_interpreter",
    "state_interpreter",
    "reward",
    "network",
    "policy",
    "data",
    "runtime",
    "trainer",
    // ours, with the keys of our own dialect
    VALIDATION,
    CheckpointSettings.SECTION,
    "aux_info",
    ExecutionRun.METRICS,
    ExecutionRun.CALLBACKS,
    ExecutionRun.LOG_WRITERS
  };

  private static final String[] TRAINER = {
    "max_epoch", "episode_per_collect", "batch_size", "repeat_per_collect",
    "val_every_n_epoch", "checkpoint_path", "checkpoint_every_n_iters", "earlystop_patience",
    "batching"
  };

  private static final String[] SOURCE = {
    "order_dir", "feature_root_dir", "feature_columns_today", "feature_columns_yesterday",
    "default_start_time_index", "default_end_time_index", "total_time", "proc_data_dim"
  };

  /// Keys of `data.source` that nothing here depends on.
  private static final List<String> UNUSED_IN_SOURCE = List.of("total_time", "proc_data_dim");

  private static final List<String> UNUSED_IN_DATA = List.of("num_workers", "queue_size");

  private static final List<String> TICK_COLUMNS = List.of("$close0", "$volume0");

  private final Consumer<String> warnings;

  QlibBinder(Consumer<String> warnings) {
    this.warnings = warnings;
  }

  ExecutionRun read(ConfigNode given) {
    given.warnUnknown(List.of(SECTIONS), warnings);
    ConfigNode config = given.over(DEFAULTS);
    ConfigNode env = section(config, "env", "concurrency", "parallel_mode", "extra_module_paths");
    ConfigNode runtime = section(config, "runtime", "seed", "use_cuda");
    ConfigNode network = config.optional("network");
    PARTS.forEach(name -> requireComponent(config.required(name)));
    if (network != null) {
      requireComponent(network);
    }
    ignorePython(env.required("extra_module_paths"));
    ignoreCuda(runtime.required("use_cuda"));
    ConfigNode trainer = section(config, "trainer", TRAINER);
    ConfigNode simulator =
        section(config, "simulator", "time_per_step", "data_granularity", "vol_limit");
    int granularity = simulator.required("data_granularity").asCount();
    Part<SimulatorSetup> simulated = simulator(simulator, granularity);
    ConfigNode written = given.optional("trainer");
    return new ExecutionRun(
        true,
        data(config, granularity),
        Costs.NONE,
        new ProblemSettings(
                simulated,
                Part.from(config.required("state_interpreter")),
                Part.from(config.required("action_interpreter")),
                Part.from(config.required("reward")),
                false)
            .withAuxInfo(NativeBinder.partOrNull(config, "aux_info"))
            .withMetrics(parts(config, ExecutionRun.METRICS)),
        new AgentSettings(
            NativeBinder.partOrNull(config, "network"),
            Part.from(config.required("policy")),
            null,
            false,
            0,
            List.of()),
        new TrainerSettings(
            NativeBinder.seed(runtime.required("seed")),
            null,
            NativeBinder.env(env),
            maxIterations(trainer.required("max_epoch")),
            new VesselConfig(
                VesselConfig.BUFFER_SIZE,
                trainer.required("episode_per_collect").asCount(),
                new UpdateSettings(
                    trainer.required("batch_size").asCount(),
                    trainer.required("repeat_per_collect").asCount(),
                    NativeBinder.choice(trainer.required("batching"), Batching.values()))),
            OnFailure.PROPAGATE,
            null,
            NativeBinder.pathOrNull(trainer, "checkpoint_path"),
            checkpoint(config.optional(CheckpointSettings.SECTION), trainer, written),
            Augmentation.NONE),
        validation(config.optional(VALIDATION), trainer),
        parts(config, ExecutionRun.CALLBACKS),
        parts(config, ExecutionRun.LOG_WRITERS),
        null);
  }

  private static <T> List<Part<T>> parts(ConfigNode config, String key) {
    ConfigNode list = config.optional(key);
    return list == null ? List.of() : NativeBinder.parts(list);
  }

  /// @param written the section `trainer` of the file
  private static CheckpointSettings checkpoint(
      @Nullable ConfigNode section, ConfigNode trainer, @Nullable ConfigNode written) {
    ConfigNode ours = written == null ? null : written.written(EVERY);
    NativeBinder.rejectTwice(section, CheckpointSettings.EVERY, ours);
    return CheckpointSettings.from(
        section, CheckpointSettings.QLIB.withEvery(NativeBinder.countOrNull(trainer, EVERY)));
  }

  /// Reads the section `validation` of ours, beside Qlib's keys for the two most important of its
  /// values.
  private ValidationSettings validation(@Nullable ConfigNode section, ConfigNode trainer) {
    ValidationSettings qlib =
        validation(
            ValidationSettings.DEFAULT
                .withEvery(NativeBinder.countOrNull(trainer, VALIDATE_EVERY))
                .withPatience(NativeBinder.notNegativeOrNull(trainer, PATIENCE)));
    if (qlib.every() == null && qlib.patience() != null) {
      warnings.accept(
          "%s: never stops anything, because %s says that nothing is validated"
              .formatted(trainer.required(PATIENCE).where(), VALIDATE_EVERY));
      return qlib;
    }
    if (section == null) {
      return qlib;
    }
    section.rejectUnknown(VALIDATION_KEYS);
    NativeBinder.rejectTwice(section, "every", trainer.optional(VALIDATE_EVERY));
    NativeBinder.rejectTwice(section, "patience", trainer.optional(PATIENCE));
    ConfigNode patience = trainer.optional(PATIENCE);
    return NativeBinder.validation(
        patience == null ? section : section.with("patience", patience), qlib);
  }

  /// Returns what Qlib's keys say of `settings`, and the usual of all others.
  static ValidationSettings validation(ValidationSettings settings) {
    return new ValidationSettings(
            settings.every(), ValidationSettings.ADVANTAGE, Better.HIGHER, null, 0, true, false)
        .withPatience(settings.patience());
  }

  /// As in Qlib, null means no end.
  private static @Nullable Integer maxIterations(ConfigNode node) {
    return node.isNull() ? null : Integer.valueOf(node.asCount());
  }

  private ConfigNode section(ConfigNode config, String name, String... keys) {
    ConfigNode section = config.required(name);
    section.warnUnknown(List.of(keys), warnings);
    return section;
  }

  private void requireComponent(ConfigNode node) {
    node.warnUnknown(ComponentSpec.KEYS, warnings);
    ComponentSpec.from(node);
  }

  private void ignorePython(ConfigNode paths) {
    if (!paths.isNull() && !paths.asTexts().isEmpty()) {
      warnings.accept(
          paths.where() + ": no Python is run here; components of your own come with --plugins");
    }
  }

  private void ignoreCuda(ConfigNode uses) {
    if (uses.asBoolean()) {
      warnings.accept(uses.where() + ": there is no CUDA here; the run uses the processor");
    }
  }

  private static Part<SimulatorSetup> simulator(ConfigNode section, int granularity) {
    ConfigNode step = multiple(section.required("time_per_step"), granularity);
    ConfigNode limit = section.required("vol_limit");
    if (!limit.isNull()) {
      limit.asNotNegative();
    }
    return Part.named(
        "SingleAssetOrderExecutionSimple",
        Map.of("ticks_per_step", step, "data_granularity", granularity, "vol_threshold", limit));
  }

  static int minutesPerTick(ExecutionRun run) {
    return ComponentSpec.from(run.problem().simulator().describe())
        .kwargs()
        .required("data_granularity")
        .asInt();
  }

  private QlibData data(ConfigNode config, int granularity) {
    ConfigNode data = section(config, "data", "source", "num_workers", "queue_size");
    ConfigNode source = section(data, "source", SOURCE);
    ConfigNode today = source.required("feature_columns_today");
    if (!today.asTexts().containsAll(TICK_COLUMNS)) {
      throw today.wrong("a list with " + TICK_COLUMNS);
    }
    ConfigNode start = source.required("default_start_time_index");
    if (NativeBinder.notNegative(start) > 0) {
      multiple(start, granularity);
    }
    ConfigNode end = multiple(source.required("default_end_time_index"), granularity);
    if (end.asInt() <= start.asInt()) {
      throw end.wrong("more than data.source.default_start_time_index, " + start.asInt());
    }
    return new QlibData(
        source.required("order_dir").asPath(NativeBinder.HERE),
        source.required("feature_root_dir").asPath(NativeBinder.HERE),
        today.asTexts(),
        source.required("feature_columns_yesterday").asTexts(),
        start.asInt(),
        end.asInt(),
        unused(source, UNUSED_IN_SOURCE),
        unused(data, UNUSED_IN_DATA),
        new Places(source));
  }

  private static Map<String, ConfigNode> unused(ConfigNode section, List<String> keys) {
    var found = new LinkedHashMap<String, ConfigNode>();
    for (String key : keys) {
      ConfigNode node = section.written(key);
      if (node != null) {
        found.put(key, node);
      }
    }
    return found;
  }

  private static ConfigNode multiple(ConfigNode node, int granularity) {
    if (node.asCount() % granularity != 0) {
      throw node.wrong("a multiple of simulator.data_granularity, which is " + granularity);
    }
    return node;
  }
}
