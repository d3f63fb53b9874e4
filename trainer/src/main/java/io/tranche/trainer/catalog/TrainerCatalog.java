package io.tranche.trainer.catalog;

import io.tranche.config.Catalog;
import io.tranche.config.Component;
import io.tranche.config.ConfigNode;
import io.tranche.env.LogLevel;
import io.tranche.env.LogWriter;
import io.tranche.env.log.ConsoleWriter;
import io.tranche.env.log.ConsoleWriter.Style;
import io.tranche.env.log.CsvLogWriter;
import io.tranche.env.log.EpisodeLog;
import io.tranche.env.log.EpisodeSink;
import io.tranche.env.log.JsonLinesWriter;
import io.tranche.env.log.MlflowWriter;
import io.tranche.env.log.TensorBoardWriter;
import io.tranche.trainer.Callback;
import io.tranche.trainer.callback.Better;
import io.tranche.trainer.callback.EarlyStopping;
import io.tranche.trainer.callback.EarlyStoppingConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/// The catalogs of callbacks and log writers.
public final class TrainerCatalog {

  private static final String LEVEL = "level";
  private static final List<String> LEVELS = List.of("debug", "periodic", "info", "critical");

  private TrainerCatalog() {}

  public static Catalog<Callback> callbacks() {
    return Catalog.of(
        Callback.class,
        List.of(
            Component.of(
                Callback.class,
                "EarlyStopping",
                "ends training when a metric gets no better",
                TrainerCatalog::earlyStopping)));
  }

  public static Catalog<LogWriterMaker> logWriters() {
    Class<LogWriterMaker> kind = LogWriterMaker.class;
    return Catalog.of(
        kind,
        List.of(
            Component.of(
                kind,
                "ConsoleWriter",
                "a line every few episodes, beside the run's progress",
                TrainerCatalog::console),
            Component.of(kind, "CsvLogWriter", "a row per episode", TrainerCatalog::csv),
            Component.of(
                kind,
                "JsonLinesWriter",
                "a JSON object per episode, with or without its steps",
                TrainerCatalog::jsonLines),
            Component.of(
                kind,
                "TensorBoardWriter",
                "the means of each collect",
                TrainerCatalog::tensorBoard),
            Component.of(
                kind,
                "MlflowWriter",
                "the means of each collect, on an MLflow server",
                TrainerCatalog::mlflow)));
  }

  private static Callback earlyStopping(ConfigNode settings) {
    settings.rejectUnknown(
        List.of(
            "monitor", "mode", "min_delta", "patience", "baseline", "restore_best_weights"));
    ConfigNode mode = settings.optional("mode");
    boolean isLower = mode != null && mode.asChoice(List.of("max", "min")).equals("min");
    ConfigNode baseline = settings.optional("baseline");
    return new EarlyStopping(
        new EarlyStoppingConfig(
            settings.textOr("monitor", "val/reward"),
            settings.notNegativeOr("min_delta", 0),
            settings.required("patience").asCount(),
            isLower ? Better.LOWER : Better.HIGHER,
            baseline == null ? null : baseline.asDouble(),
            settings.booleanOr("restore_best_weights", false),
            false));
  }

  /// Returns a maker of a writer that receives what its setting `level` says.
  private static LogWriterMaker leveled(
      ConfigNode settings, BiFunction<Path, InstantSource, EpisodeSink> sink) {
    LogLevel level = level(settings);
    return (folder, clock) -> new EpisodeLog(sink.apply(folder, clock), level);
  }

  private static LogLevel level(ConfigNode settings) {
    ConfigNode level = settings.optional(LEVEL);
    return level == null
        ? LogLevel.PERIODIC
        : LogLevel.valueOf(level.asChoice(LEVELS).toUpperCase(Locale.ROOT));
  }

  private static LogWriterMaker console(ConfigNode settings) {
    settings.rejectUnknown(List.of("every", "prefix", LEVEL));
    Style usual = Style.DEFAULT;
    return new ConsoleMaker(
        new Style(
            settings.countOr("every", usual.everyEpisodes()),
            null,
            settings.textOr("prefix", usual.prefix()),
            usual.numberFormat(),
            usual.countFormat()),
        level(settings));
  }

  /// Opens writers to where the run shows its progress.
  private record ConsoleMaker(Style style, LogLevel level) implements LogWriterMaker {

    @Override
    public LogWriter open(Path folder, InstantSource clock) {
      Logger log = System.getLogger(ConsoleWriter.class.getName());
      return open(folder, clock, line -> log.log(Level.INFO, line));
    }

    @Override
    public LogWriter open(Path folder, InstantSource clock, Consumer<String> console) {
      return new EpisodeLog(new ConsoleWriter(console, style), level);
    }
  }

  private static LogWriterMaker csv(ConfigNode settings) {
    settings.rejectUnknown(List.of("folder", LEVEL));
    String place = settings.textOr("folder", "");
    return leveled(settings, (folder, _) -> new CsvLogWriter(folder.resolve(place)));
  }

  private static LogWriterMaker jsonLines(ConfigNode settings) {
    settings.rejectUnknown(List.of("file", "steps", LEVEL));
    String file = settings.textOr("file", "episodes.jsonl");
    boolean hasSteps = settings.booleanOr("steps", false);
    return leveled(settings, (folder, _) -> new JsonLinesWriter(folder.resolve(file), hasSteps));
  }

  private static LogWriterMaker tensorBoard(ConfigNode settings) {
    settings.rejectUnknown(List.of("folder", "prefix", LEVEL));
    String place = settings.textOr("folder", "episodes");
    String prefix = settings.textOr("prefix", "");
    return leveled(
        settings, (folder, clock) -> new TensorBoardWriter(folder.resolve(place), prefix, clock));
  }

  private static LogWriterMaker mlflow(ConfigNode settings) {
    settings.rejectUnknown(List.of("server", "experiment", "run", LEVEL));
    ConfigNode server = settings.required("server");
    String experiment = settings.textOr("experiment", "tranche");
    String run = settings.textOr("run", "");
    MlflowWriter.Target target;
    try {
      target = new MlflowWriter.Target(URI.create(server.asText()), experiment, run, Map.of());
    } catch (IllegalArgumentException _) {
      throw server.wrong("an http address, such as http://localhost:5000");
    }
    return leveled(
        settings,
        (folder, clock) ->
            new MlflowWriter(
                run.isEmpty()
                    ? new MlflowWriter.Target(
                        target.server(), experiment, String.valueOf(folder.getFileName()), Map.of())
                    : target,
                clock,
                failure ->
                    System.getLogger(MlflowWriter.class.getName()).log(Level.WARNING, failure)));
  }
}
