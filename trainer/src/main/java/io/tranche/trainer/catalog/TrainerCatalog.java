package io.tranche.trainer.catalog;

import io.tranche.config.Catalog;
import io.tranche.config.Component;
import io.tranche.config.ConfigNode;
import io.tranche.env.log.CsvLogWriter;
import io.tranche.env.log.EpisodeLog;
import io.tranche.env.log.JsonLinesWriter;
import io.tranche.env.log.MlflowWriter;
import io.tranche.env.log.TensorBoardWriter;
import io.tranche.trainer.Callback;
import io.tranche.trainer.callback.Better;
import io.tranche.trainer.callback.EarlyStopping;
import io.tranche.trainer.callback.EarlyStoppingConfig;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.List;
import java.util.Map;

/// The catalogs of callbacks and log writers.
public final class TrainerCatalog {

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
    settings.rejectUnknown(List.of("monitor", "patience", "min_delta", "better"));
    ConfigNode better = settings.optional("better");
    boolean isLower = better != null && better.asChoice(List.of("higher", "lower")).equals("lower");
    return new EarlyStopping(
        new EarlyStoppingConfig(
            settings.textOr("monitor", "val/reward"),
            settings.notNegativeOr("min_delta", 0),
            settings.required("patience").asCount(),
            isLower ? Better.LOWER : Better.HIGHER,
            null,
            false,
            false));
  }

  private static LogWriterMaker csv(ConfigNode settings) {
    settings.rejectUnknown(List.of("folder"));
    String place = settings.textOr("folder", "");
    return (folder, _) -> new EpisodeLog(new CsvLogWriter(folder.resolve(place)));
  }

  private static LogWriterMaker jsonLines(ConfigNode settings) {
    settings.rejectUnknown(List.of("file", "steps"));
    String file = settings.textOr("file", "episodes.jsonl");
    boolean hasSteps = settings.booleanOr("steps", false);
    return (folder, _) -> new EpisodeLog(new JsonLinesWriter(folder.resolve(file), hasSteps));
  }

  private static LogWriterMaker tensorBoard(ConfigNode settings) {
    settings.rejectUnknown(List.of("folder", "prefix"));
    String place = settings.textOr("folder", "episodes");
    String prefix = settings.textOr("prefix", "");
    return (folder, clock) ->
        new EpisodeLog(new TensorBoardWriter(folder.resolve(place), prefix, clock));
  }

  private static LogWriterMaker mlflow(ConfigNode settings) {
    settings.rejectUnknown(List.of("server", "experiment", "run"));
    ConfigNode server = settings.required("server");
    String experiment = settings.textOr("experiment", "tranche");
    String run = settings.textOr("run", "");
    MlflowWriter.Target target;
    try {
      target = new MlflowWriter.Target(URI.create(server.asText()), experiment, run, Map.of());
    } catch (IllegalArgumentException _) {
      throw server.wrong("an http address, such as http://localhost:5000");
    }
    return (folder, clock) ->
        new EpisodeLog(
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
