package io.tranche.experiment;

import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.vector.OnFailure;
import io.tranche.market.DataException;
import io.tranche.market.order.LazyOrders;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.trainer.InitialStates;
import io.tranche.trainer.VesselConfig;
import io.tranche.trainer.callback.Better;
import io.tranche.trainer.callback.EarlyStoppingConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads Qlib's training configuration, as it is. Qlib: `qlib.rl.contrib.train_onpolicy`.
///
/// Paths are relative to the working directory. Keys that Qlib does not know are ignored with a
/// warning.
final class QlibConfig {

  private static final Path HERE = Path.of("");

  private static final ConfigNode DEFAULTS =
      ConfigFiles.parse(
          "Qlib's defaults",
          """
          simulator: {data_granularity: 1}
          env: {extra_module_paths: []}
          runtime: {seed: 0, use_cuda: false}
          trainer:
            val_every_n_epoch: null
            checkpoint_every_n_iters: 1
            earlystop_patience: null
          """);

  private static final List<String> COMPONENTS =
      List.of("action_interpreter", "state_interpreter", "reward", "policy");

  private static final List<String> SECTIONS =
      List.of(
          "simulator",
          "env",
          "action_interpreter",
          "state_interpreter",
          "reward",
          "network",
          "policy",
          "data",
          "runtime",
          "trainer");

  private static final String MONITOR = "val/pa";

  private static final List<String> TICK_COLUMNS = List.of("$close0", "$volume0");

  private final Consumer<String> warnings;

  QlibConfig(Consumer<String> warnings) {
    this.warnings = warnings;
  }

  RunConfig read(ConfigNode given) {
    given.warnUnknown(SECTIONS, warnings);
    ConfigNode config = given.over(DEFAULTS);
    ConfigNode env = section(config, "env", "concurrency", "parallel_mode", "extra_module_paths");
    ConfigNode runtime = section(config, "runtime", "seed", "use_cuda");
    ConfigNode network = config.optional("network");
    COMPONENTS.forEach(name -> component(config.required(name)));
    if (network != null) {
      component(network);
    }
    ignorePython(env.required("extra_module_paths"));
    ignoreCuda(runtime.required("use_cuda"));
    ConfigNode trainer =
        section(
            config,
            "trainer",
            "max_epoch",
            "episode_per_collect",
            "batch_size",
            "repeat_per_collect",
            "val_every_n_epoch",
            "checkpoint_path",
            "checkpoint_every_n_iters",
            "earlystop_patience");
    ConfigNode path = trainer.optional("checkpoint_path");
    RunData data = data(config);
    return new RunConfig(
        true,
        config,
        false,
        null,
        (_, _) -> data,
        network,
        config.required("policy"),
        ParallelMode.from(env.required("parallel_mode")),
        env.required("concurrency").asCount(),
        null,
        RunConfig.seed(runtime.required("seed")),
        trainer.required("max_epoch").asCount(),
        RunConfig.countOrNull(trainer, "val_every_n_epoch"),
        true,
        false,
        null,
        OnFailure.PROPAGATE,
        new VesselConfig(
            VesselConfig.BUFFER_SIZE,
            trainer.required("episode_per_collect").asCount(),
            new UpdateSettings(
                trainer.required("batch_size").asCount(),
                trainer.required("repeat_per_collect").asCount(),
                Batching.EPISODES)),
        path == null ? null : path.asPath(HERE),
        RunConfig.countOrNull(trainer, "checkpoint_every_n_iters"),
        earlyStopping(trainer.optional("earlystop_patience")),
        MONITOR,
        0);
  }

  private ConfigNode section(ConfigNode config, String name, String... keys) {
    ConfigNode section = config.required(name);
    section.warnUnknown(List.of(keys), warnings);
    return section;
  }

  private void component(ConfigNode node) {
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

  private static @Nullable EarlyStoppingConfig earlyStopping(@Nullable ConfigNode patience) {
    if (patience == null) {
      return null;
    }
    return new EarlyStoppingConfig(
        MONITOR, 0, RunConfig.notNegative(patience), Better.HIGHER, null, false, true);
  }

  private RunData data(ConfigNode config) {
    ConfigNode simulator =
        section(config, "simulator", "time_per_step", "data_granularity", "vol_limit");
    ConfigNode granularity = simulator.required("data_granularity");
    ConfigNode step = multiple(simulator.required("time_per_step"), granularity.asCount());
    ConfigNode limit = simulator.required("vol_limit");
    if (!limit.isNull()) {
      limit.asNotNegative();
    }
    ConfigNode source = section(section(config, "data", "source", "num_workers", "queue_size"));
    ConfigNode root = source.required("feature_root_dir");
    columns(source);
    ConfigNode environment =
        RunConfig.empty("environment")
            .with(
                "ticks",
                RunConfig.component("HandlerPickles", RunConfig.empty("data").with("path", root)))
            .with(
                "simulator",
                RunConfig.component(
                    "SingleAssetOrderExecutionSimple",
                    RunConfig.empty("simulator")
                        .with("ticks_per_step", step)
                        .with("data_granularity", granularity)
                        .with("vol_threshold", limit)))
            .with("state_interpreter", config.required("state_interpreter"))
            .with("action_interpreter", config.required("action_interpreter"))
            .with("reward", config.required("reward"));
    return new RunData(environment, orders(source, root.asPath(HERE), granularity.asInt()));
  }

  private ConfigNode section(ConfigNode data) {
    return section(
        data,
        "source",
        "order_dir",
        "feature_root_dir",
        "feature_columns_today",
        "feature_columns_yesterday",
        "default_start_time_index",
        "default_end_time_index",
        "total_time",
        "proc_data_dim");
  }

  private static void columns(ConfigNode source) {
    ConfigNode today = source.required("feature_columns_today");
    source.required("feature_columns_yesterday").asTexts();
    if (!today.asTexts().containsAll(TICK_COLUMNS)) {
      throw today.wrong("a list with " + TICK_COLUMNS);
    }
  }

  private static ConfigNode multiple(ConfigNode node, int granularity) {
    if (node.asCount() % granularity != 0) {
      throw node.wrong("a multiple of simulator.data_granularity, which is " + granularity);
    }
    return node;
  }

  private static RunData.Orders orders(ConfigNode source, Path root, int granularity) {
    ConfigNode start = source.required("default_start_time_index");
    if (start.asInt() < 0) {
      throw start.wrong("an integer that is not negative");
    }
    if (start.asInt() > 0) {
      multiple(start, granularity);
    }
    ConfigNode end = multiple(source.required("default_end_time_index"), granularity);
    if (end.asInt() <= start.asInt()) {
      throw end.wrong("more than data.source.default_start_time_index, " + start.asInt());
    }
    Path folder = source.required("order_dir").asPath(HERE);
    return stage -> {
      Path files = folder.resolve(stage.name().toLowerCase(Locale.ROOT));
      LazyOrders orders =
          LazyOrders.open(root, files, start.asInt() / granularity, end.asInt() / granularity);
      if (orders.size() == 0) {
        throw new DataException(files.toString(), "orders", "none");
      }
      return new InitialStates<>(orders.size(), orders::order);
    };
  }
}
