package io.tranche.run;

import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.catalog.FrictionSettings;
import io.tranche.market.order.DayWindow;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.session.SessionBars.Reading;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.Features;
import io.tranche.run.DataSettings.Orders;
import io.tranche.run.DataSettings.QlibData;
import io.tranche.run.ValidationSettings.Stopping;
import io.tranche.trainer.VesselConfig;
import io.tranche.trainer.callback.Better;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
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

  private static Section ours(ExecutionRun run, BarData data) {
    TrainerSettings trainer = run.trainer();
    VesselConfig vessel = trainer.vessel();
    ValidationSettings validation = run.validation();
    Teacher teacher = run.agent().teacher();
    return new Section()
        .and(NativeBinder.MARK, NativeBinder.VERSION)
        .and("hindsight", run.problem().hindsight())
        .and(Teacher.SECTION, teacher == null ? null : teacher(teacher))
        .and("data", data(data))
        .and("costs", FrictionSettings.describe(run.costs()))
        .and("env", env(trainer))
        .and("runtime", new Section().and("seed", trainer.seed()).and("threads", trainer.threads()))
        .and(
            "trainer",
            new Section()
                .and("max_iterations", trainer.maxIterations())
                .and("episodes_per_iteration", vessel.episodesPerIteration())
                .and("batch_size", vessel.update().batchSize())
                .and("repeat", vessel.update().repeat())
                .and("batching", word(vessel.update().batching()))
                .and("buffer_size", vessel.bufferSize())
                .and("start_near_twap", run.agent().startsNearTwap())
                .and("pretrain_epochs", run.agent().pretrainEpochs())
                .and("freeze", run.agent().frozen())
                .and("on_failure", word(trainer.onFailure()))
                .and("fast_dev_run", trainer.fastDevRun())
                .and("checkpoint_path", text(trainer.folder())))
        .and(CheckpointSettings.SECTION, trainer.checkpoint().toConfig())
        .and(NativeBinder.AUGMENTATION, trainer.augmentation().toConfig())
        .and(
            "validation",
            new Section()
                .and("every", validation.every())
                .and("monitor", validation.monitor())
                .and("mode", mode(validation))
                .and("patience", validation.patience())
                .andStopping(validation)
                .and("keep_best", validation.keepBest())
                .and("judge", validation.judges())
                .and("guard", validation.guard()))
        .and("simulator", run.problem().simulator().describe())
        .andParts(run)
        .and("aux_info", part(run.problem().auxInfo()))
        .and(ExecutionRun.METRICS, parts(run.problem().metrics()))
        .and(ExecutionRun.CALLBACKS, parts(run.callbacks()))
        .and(ExecutionRun.LOG_WRITERS, parts(run.logWriters()));
  }

  private static String mode(ValidationSettings validation) {
    return validation.better() == Better.HIGHER ? "max" : "min";
  }

  private static List<ConfigNode> parts(List<? extends Part<?>> parts) {
    return parts.stream().map(Part::describe).toList();
  }

  private static Section teacher(Teacher teacher) {
    return new Section()
        .and("weight", teacher.weight())
        .and("teacher", teacher.file().toString())
        .and("sha256", teacher.sha256());
  }

  private static Section env(TrainerSettings trainer) {
    return new Section()
        .and("concurrency", trainer.env().concurrency())
        .and("parallel_mode", word(trainer.env().mode()));
  }

  /// Writes the section `data` of our own dialect.
  static ConfigNode section(BarData data) {
    return ConfigFiles.of("data", data(data));
  }

  private static Section data(BarData data) {
    Object features =
        switch (data.features()) {
          case Features.Recipe _ -> null;
          case Features.Provided(var names, _) -> Map.of("providers", names);
          case Features.Made(var config) -> config.toConfig();
          case Features.Stored(Path store) -> store.toString();
        };
    Object orders =
        switch (data.orders()) {
          case Orders.Generated(OrderGenerator generator) -> orders(generator);
          case Orders.Folder(Path folder) -> folder.toString();
        };
    Map<String, Object> mapping = data.mapping().withReading(Reading.PLAIN).toConfig();
    Map<String, Object> reading = data.mapping().reading().toConfig();
    return new Section()
        .and("market", data.market() == null ? null : market(data.market()))
        .and("bars", text(data.bars()))
        .and("mapping", mapping.isEmpty() ? null : mapping)
        .and("session", reading.get("session"))
        .and("label", reading.get("label"))
        .and("time_zone", reading.get("time_zone"))
        .and("features", features)
        .and(
            "expressions",
            data.features() instanceof Features.Recipe(var formulas, _) && !formulas.isEmpty()
                ? Features.toConfig(formulas)
                : null)
        .and(
            "tables",
            data.features() instanceof Features.Recipe(_, var tables) && !tables.isEmpty()
                ? tables.stream().map(Features.Joined::toConfig).toList()
                : null)
        .and("orders", orders)
        .and("both_sides", data.bothSides())
        .and("instruments", data.instruments())
        .and("neutral", data.neutral());
  }

  private static Section orders(OrderGenerator generator) {
    return new Section()
        .and("seed", generator.seed())
        .and("size", generator.size())
        .and("size_of", word(generator.unit()))
        .and("size_deviation", generator.deviation())
        .and("windows", generator.windows().stream().map(DayWindow::toString).toList())
        .and("per_day", generator.perDay())
        .and("sides", word(generator.sides()));
  }

  private static Section market(SyntheticConfig market) {
    return new Section()
        .and("seed", market.seed())
        .and("law", market.law().word())
        .and("signal", market.signal())
        .and("instruments", market.instruments())
        .and("days", market.days());
  }

  private static Section qlib(ExecutionRun run, QlibData data) {
    TrainerSettings trainer = run.trainer();
    VesselConfig vessel = trainer.vessel();
    var source =
        new Section()
            .and("order_dir", data.orders().toString())
            .and("feature_root_dir", data.featureRoot().toString())
            .and("feature_columns_today", data.columnsToday())
            .and("feature_columns_yesterday", data.columnsYesterday())
            .and("default_start_time_index", data.startMinute())
            .and("default_end_time_index", data.endMinute());
    source.putAll(data.unusedInSource());
    var section = new Section().and("source", source);
    section.putAll(data.unusedInData());
    ConfigNode simulator = ComponentSpec.from(run.problem().simulator().describe()).kwargs();
    return new Section()
        .and(
            "simulator",
            new Section()
                .and("data_granularity", simulator.required("data_granularity"))
                .and("time_per_step", simulator.required("ticks_per_step"))
                .and("vol_limit", simulator.required("vol_threshold")))
        .and("env", env(trainer))
        .and("runtime", new Section().and("seed", trainer.seed()))
        .and(
            "trainer",
            new Section()
                .and("max_epoch", trainer.maxIterations())
                .and("episode_per_collect", vessel.episodesPerIteration())
                .and("batch_size", vessel.update().batchSize())
                .and("repeat_per_collect", vessel.update().repeat())
                .and("batching", word(vessel.update().batching()))
                .and("val_every_n_epoch", run.validation().every())
                .and("checkpoint_path", text(trainer.folder()))
                .and("checkpoint_every_n_iters", trainer.checkpoint().every())
                .and("earlystop_patience", run.validation().patience()))
        .and("data", section)
        .andParts(run)
        .andOurs(run);
  }

  private static @Nullable ConfigNode part(@Nullable Part<?> part) {
    return part == null ? null : part.describe();
  }

  private static @Nullable String text(@Nullable Path path) {
    return path == null ? null : path.toString();
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  @SuppressWarnings("serial") // nobody serializes it
  private static final class Section extends LinkedHashMap<String, @Nullable Object> {

    Section and(String key, @Nullable Object value) {
      put(key, value);
      return this;
    }

    Section andStopping(ValidationSettings validation) {
      Stopping stopping = validation.stopping();
      return and("min_delta", stopping == null ? 0.0 : stopping.minDelta())
          .and("baseline", stopping == null ? null : stopping.baseline())
          .and("restore_best_weights", stopping != null && stopping.restoresBest());
    }

    /// Writes what Qlib's files do not have, where it is not as usual.
    Section andOurs(ExecutionRun run) {
      if (!run.validation().equals(QlibBinder.validation(run.validation()))) {
        and(
            "validation",
            new Section()
                .and("monitor", run.validation().monitor())
                .and("mode", mode(run.validation()))
                .andStopping(run.validation())
                .and("keep_best", run.validation().keepBest())
                .and("judge", run.validation().judges()));
      }
      CheckpointSettings saved = run.trainer().checkpoint();
      if (!saved.equals(CheckpointSettings.QLIB.withEvery(saved.every()))) {
        var section = new Section();
        section.putAll(saved.toConfig());
        section.remove(CheckpointSettings.EVERY); // Qlib has a key for it
        and(CheckpointSettings.SECTION, section);
      }
      if (run.problem().auxInfo() != null) {
        and("aux_info", part(run.problem().auxInfo()));
      }
      return andSome(ExecutionRun.METRICS, run.problem().metrics())
          .andSome(ExecutionRun.CALLBACKS, run.callbacks())
          .andSome(ExecutionRun.LOG_WRITERS, run.logWriters());
    }

    private Section andSome(String key, List<? extends Part<?>> parts) {
      return parts.isEmpty() ? this : and(key, parts(parts));
    }

    Section andParts(ExecutionRun run) {
      return and("state_interpreter", run.problem().stateInterpreter().describe())
          .and("action_interpreter", run.problem().actionInterpreter().describe())
          .and("reward", part(run.problem().reward()))
          .and("network", part(run.agent().network()))
          .and("policy", run.agent().policy().describe());
    }
  }
}
