package io.tranche.work.tuning;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.space.SpaceException;
import io.tranche.env.vector.EnvironmentException;
import io.tranche.files.StagedFolder;
import io.tranche.market.DataException;
import io.tranche.policy.state.Fields;
import io.tranche.policy.state.PlainJson;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.trainer.Trainer;
import io.tranche.trainer.TrainingException;
import io.tranche.trainer.TrainingProgress;
import io.tranche.trainer.checkpoint.CheckpointFile;
import io.tranche.trainer.checkpoint.Stop;
import io.tranche.work.ConfigPaths;
import io.tranche.work.Job;
import io.tranche.work.JobKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Trials as pieces of work: some iterations of one, from one checkpoint to the next. Nothing stays
/// behind where it was done.
public final class TrialKind implements JobKind {

  static final String NAME = "tune trial";

  /// A run is what it is because of its checkpoints; this one goes to the driver and back.
  private static final int MOST_BYTES = 256 << 20;

  private static final InstantSource NO_CLOCK = InstantSource.fixed(Instant.EPOCH);

  /// @param data where the trials' common data are, if they have any
  static byte[] setup(TuneConfig config, @Nullable Path data) {
    var words = new LinkedHashMap<String, @Nullable Object>();
    words.put("config", ConfigPaths.absolute(config.base()).toYaml());
    words.put("iterations", config.iterations());
    words.put("metric", config.metric());
    words.put("data", data == null ? null : data.toAbsolutePath().toString());
    return PlainJson.write(words);
  }

  /// @param checkpoint what to go on from; empty to begin
  static byte[] piece(Trial trial, int to, byte[] checkpoint) {
    var words = new LinkedHashMap<String, @Nullable Object>();
    words.put("trial", trial.number());
    words.put(
        "settings",
        trial.settings().stream()
            .<Object>map(setting -> List.of(setting.path(), setting.value()))
            .toList());
    words.put("to", to);
    return TrialMessage.pack(words, checkpoint);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Job open(byte[] setup) {
    var words = new Fields("a search", PlainJson.read("a search", setup));
    return new TrialJob(
        ConfigPaths.staged(ConfigFiles.parse("config", words.field("config").text())),
        (int) words.field("iterations").count(),
        words.field("metric").text(),
        words.field("data").value() instanceof String folder ? Path.of(folder) : null);
  }

  private static final class TrialJob implements Job {

    private final ConfigNode base;
    private final int iterations;
    private final String metric;
    private final @Nullable Path given;
    private @Nullable Path made;

    TrialJob(ConfigNode base, int iterations, String metric, @Nullable Path given) {
      this.base = base;
      this.iterations = iterations;
      this.metric = metric;
      this.given = given;
    }

    @Override
    public byte[] work(byte[] shared, byte[] piece) {
      TrialMessage parcel = TrialMessage.open("a trial", piece);
      var settings = new ArrayList<Setting>();
      for (Object each : parcel.words().field("settings").list()) {
        var pair = new Fields("a trial: settings", each);
        settings.add(new Setting(pair.item(0).text(), pair.item(1).text()));
      }
      int to = (int) parcel.words().field("to").count();
      Path folder = newFolder();
      try {
        return train(settings, to, parcel.checkpoint(), folder);
      } finally {
        delete(folder);
      }
    }

    private byte[] train(List<Setting> settings, int to, byte[] checkpoint, Path folder) {
      try {
        ExecutionRun run = TuneConfig.run(base, settings, iterations);
        var options = TrainingOptions.trial(folder, to);
        Path from = checkpoint.length == 0 ? null : written(folder, checkpoint);
        try (TrainingRun<?> experiment = opened(run, options, data(run, folder))) {
          Trainer trainer = experiment.train(from);
          var stretch =
              new TrialSegment(
                  (int) trainer.iterations(),
                  trainer.stopReason() == Stop.CALLBACK,
                  points(new RunFolder(folder)),
                  null);
          return TrialMessage.pack(stretch.words(), latest(new RunFolder(folder)));
        }
      } catch (ConfigException e) {
        return failed(Failure.Kind.CONFIG, e.getMessage(), folder);
      } catch (DataException | SpaceException | EnvironmentException e) {
        return failed(Failure.Kind.DATA, e.getMessage(), folder);
      } catch (TrainingException e) {
        return failed(
            Failure.Kind.DIVERGED,
            "iteration %d: %s"
                .formatted(e.iteration(), Objects.requireNonNull(e.getCause()).getMessage()),
            folder);
      }
    }

    /// Weights to begin with that are of another model are a bad combination of settings.
    private static TrainingRun<?> opened(
        ExecutionRun run, TrainingOptions options, PreparedData data) {
      try {
        return TrainingRun.open(run, options, data, TrainingProgress.NONE, NO_CLOCK);
      } catch (CheckpointException e) {
        throw ConfigException.madeElsewhere(String.valueOf(e.getMessage()));
      }
    }

    /// What it is called for a while in one process is of no use in another.
    private static byte[] failed(Failure.Kind kind, @Nullable String message, Path folder) {
      String reason = String.valueOf(message).replace(folder.toString(), "the trial's folder");
      return TrialMessage.pack(
          TrialSegment.failed(0, new Failure(kind, reason)).words(), new byte[0]);
    }

    /// Data that all trials share are made once in a process, unless they are there already.
    private synchronized PreparedData data(ExecutionRun run, Path folder) {
      Path place = folder;
      if (given != null) {
        if (made == null && !Files.isDirectory(new RunFolder(given).data())) {
          made = newFolder();
        }
        place = made == null ? given : made;
      }
      return PreparedData.of(run, new RunFolder(place), (_, _, _) -> {});
    }

    private List<Point> points(RunFolder run) {
      var points = new ArrayList<Point>();
      for (String line : lines(run.metrics())) {
        Map<String, @Nullable Object> metrics =
            PlainJson.read(run.metrics().toString(), line.getBytes(UTF_8));
        var fields = new Fields("metrics", metrics);
        if (metrics.containsKey(metric)) {
          points.add(
              new Point((int) fields.field("iteration").count(), fields.field(metric).number()));
        }
      }
      return points;
    }

    private static List<String> lines(Path file) {
      try {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
      } catch (IOException e) {
        throw CheckpointException.unreadable(file, e);
      }
    }

    private static Path written(Path folder, byte[] checkpoint) {
      Path file = folder.resolve("from" + CheckpointFile.SUFFIX);
      try {
        return Files.write(file, checkpoint);
      } catch (IOException e) {
        throw CheckpointException.unwritable(file, e);
      }
    }

    /// Returns the one checkpoint that a run leaves which saves at its end only.
    private static byte[] latest(RunFolder run) {
      Path file = run.checkpoints().resolve("latest" + CheckpointFile.SUFFIX);
      try {
        if (Files.size(file) > MOST_BYTES) {
          throw new CheckpointException(
              "a trial",
              "a checkpoint of at most %d bytes".formatted(MOST_BYTES),
              Files.size(file));
        }
        return Files.readAllBytes(file);
      } catch (IOException e) {
        throw CheckpointException.unreadable(file, e);
      }
    }

    private static Path newFolder() {
      try {
        return Files.createTempDirectory("tranche-trial-");
      } catch (IOException e) {
        throw new CheckpointException("a trial", "a temporary folder", e.getMessage(), e);
      }
    }

    private static void delete(Path folder) {
      try {
        StagedFolder.delete(folder);
      } catch (IOException e) {
        throw CheckpointException.unwritable(folder, e);
      }
    }

    @Override
    public synchronized void close() {
      if (made != null) {
        delete(made);
      }
    }
  }
}
