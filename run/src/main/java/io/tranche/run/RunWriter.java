package io.tranche.run;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.Features;
import io.tranche.run.DataSettings.Orders;
import io.tranche.run.DataSettings.QlibData;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes runs as configurations, in the dialect they were written in. The only code that does.
final class RunWriter {

  private RunWriter() {}

  static ConfigNode write(ExecutionRun run) {
    return ConfigFiles.of(
        "run",
        switch (run.data()) {
          case BarData data -> ours(run, data);
          case QlibData data -> qlib(run, data);
        });
  }

  private static Map<String, @Nullable Object> ours(ExecutionRun run, BarData data) {
    TrainerSettings trainer = run.trainer();
    ValidationSettings validation = run.validation();
    Teacher teacher = run.agent().teacher();
    return mapping(
        NativeBinder.MARK,
        NativeBinder.VERSION,
        "hindsight",
        run.problem().hindsight(),
        "distillation",
        teacher == null
            ? null
            : mapping(
                "weight",
                teacher.weight(),
                "teacher",
                teacher.file().toString(),
                "sha256",
                teacher.sha256()),
        "data",
        data(data),
        "env",
        mapping("concurrency", trainer.concurrency(), "parallel_mode", word(trainer.mode())),
        "runtime",
        mapping("seed", trainer.seed(), "threads", trainer.threads()),
        "trainer",
        mapping(
            "max_iterations",
            trainer.maxIterations(),
            "episodes_per_iteration",
            trainer.vessel().episodesPerIteration(),
            "batch_size",
            trainer.vessel().update().batchSize(),
            "repeat",
            trainer.vessel().update().repeat(),
            "batching",
            word(trainer.vessel().update().batching()),
            "buffer_size",
            trainer.vessel().bufferSize(),
            "start_near_twap",
            run.agent().startsNearTwap(),
            "on_failure",
            word(trainer.onFailure()),
            "fast_dev_run",
            trainer.fastDevRun(),
            "checkpoint_path",
            text(trainer.folder()),
            "checkpoint_every",
            trainer.checkpointEvery()),
        "validation",
        mapping(
            "every",
            validation.every(),
            "monitor",
            validation.monitor(),
            "patience",
            validation.patience(),
            "keep_best",
            validation.keepBest(),
            "judge",
            validation.judges()),
        "simulator",
        part(run.problem().simulator()),
        "state_interpreter",
        part(run.problem().stateInterpreter()),
        "action_interpreter",
        part(run.problem().actionInterpreter()),
        "reward",
        part(run.problem().reward()),
        "network",
        part(run.agent().network()),
        "policy",
        part(run.agent().policy()));
  }

  /// Writes the section `data` of our own dialect.
  static ConfigNode section(BarData data) {
    return ConfigFiles.of("data", data(data));
  }

  private static Map<String, @Nullable Object> data(BarData data) {
    SyntheticConfig market = data.market();
    return mapping(
        "market",
        market == null
            ? null
            : mapping(
                "seed",
                market.seed(),
                "signal",
                market.signal(),
                "instruments",
                market.instruments(),
                "days",
                market.days()),
        "bars",
        text(data.bars()),
        "features",
        switch (data.features()) {
          case Features.Recipe _ -> null;
          case Features.Made(var config) -> config.toConfig();
          case Features.Stored(Path store) -> store.toString();
        },
        "orders",
        switch (data.orders()) {
          case Orders.Generated(long seed) -> mapping("seed", seed);
          case Orders.Folder(Path folder) -> folder.toString();
        },
        "both_sides",
        data.bothSides(),
        "instruments",
        data.instruments());
  }

  private static Map<String, @Nullable Object> qlib(ExecutionRun run, QlibData data) {
    TrainerSettings trainer = run.trainer();
    var source =
        mapping(
            "order_dir",
            data.orders().toString(),
            "feature_root_dir",
            data.featureRoot().toString(),
            "feature_columns_today",
            data.columnsToday(),
            "feature_columns_yesterday",
            data.columnsYesterday(),
            "default_start_time_index",
            data.startMinute(),
            "default_end_time_index",
            data.endMinute());
    source.putAll(data.unusedInSource());
    var section = mapping("source", source);
    section.putAll(data.unusedInData());
    return mapping(
        "simulator",
        QlibBinder.simulator(run.problem().simulator()),
        "env",
        mapping("concurrency", trainer.concurrency(), "parallel_mode", word(trainer.mode())),
        "runtime",
        mapping("seed", trainer.seed()),
        "trainer",
        mapping(
            "max_epoch",
            trainer.maxIterations(),
            "episode_per_collect",
            trainer.vessel().episodesPerIteration(),
            "batch_size",
            trainer.vessel().update().batchSize(),
            "repeat_per_collect",
            trainer.vessel().update().repeat(),
            "val_every_n_epoch",
            run.validation().every(),
            "checkpoint_path",
            text(trainer.folder()),
            "checkpoint_every_n_iters",
            trainer.checkpointEvery(),
            "earlystop_patience",
            run.validation().patience()),
        "data",
        section,
        "state_interpreter",
        part(run.problem().stateInterpreter()),
        "action_interpreter",
        part(run.problem().actionInterpreter()),
        "reward",
        part(run.problem().reward()),
        "network",
        part(run.agent().network()),
        "policy",
        part(run.agent().policy()));
  }

  private static @Nullable ConfigNode part(@Nullable Part<?> part) {
    return part == null ? null : part.describe();
  }

  private static @Nullable String text(@Nullable Path path) {
    return path == null ? null : path.toString();
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /// @param entries keys and values in turn
  private static Map<String, @Nullable Object> mapping(@Nullable Object... entries) {
    var mapping = new LinkedHashMap<String, @Nullable Object>();
    for (int i = 0; i < entries.length; i += 2) {
      mapping.put(String.valueOf(entries[i]), entries[i + 1]);
    }
    return mapping;
  }
}
