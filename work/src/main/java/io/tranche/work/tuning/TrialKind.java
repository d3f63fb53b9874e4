package io.tranche.work.tuning;

import io.tranche.config.ConfigException;
import io.tranche.env.space.SpaceException;
import io.tranche.env.vector.EnvironmentException;
import io.tranche.files.StagedFolder;
import io.tranche.market.DataException;
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
import io.tranche.work.Job;
import io.tranche.work.JobKind;
import io.tranche.work.PieceCodec;
import io.tranche.work.SentConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Trials of a search. A piece is some iterations of one trial, from one checkpoint to the next. It
/// leaves nothing behind on the machine that ran it.
public final class TrialKind implements JobKind {

  static final String NAME = "tune trial";

  /// The checkpoint travels to the driver and back with every piece.
  private static final int MOST_BYTES = 256 << 20;

  private static final InstantSource NO_CLOCK = InstantSource.fixed(Instant.EPOCH);

  /// @param metric that trials are compared by
  /// @param data the folder of the data that all trials share; null if they share none
  /// @param skipsBad whether orders that cannot be executed are left out
  static byte[] setup(String metric, @Nullable Path data, boolean skipsBad) {
    return PieceCodec.write(
        out -> {
          PieceCodec.writeText(metric, out);
          out.writeBoolean(skipsBad);
          out.writeBoolean(data != null);
          if (data != null) {
            PieceCodec.writeText(data.toAbsolutePath().toString(), out);
          }
        });
  }

  /// @param run of the trial
  /// @param to the iteration to stop after
  /// @param checkpoint what to go on from; empty to begin
  static byte[] piece(ExecutionRun run, int to, byte[] checkpoint) {
    ObjectNode piece = TrialMessage.JSON.createObjectNode().put("to", to);
    return TrialMessage.write(piece.put("run", SentConfig.of(run)), checkpoint);
  }

  static byte[] result(TrialSegment segment, byte[] checkpoint) {
    return TrialMessage.write(segment.addTo(TrialMessage.JSON.createObjectNode()), checkpoint);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Job open(byte[] setup) {
    return PieceCodec.read(
        "the setup of a search",
        setup,
        in -> {
          String metric = PieceCodec.readText(in);
          boolean skipsBad = in.readBoolean();
          Path data = in.readBoolean() ? Path.of(PieceCodec.readText(in)) : null;
          return new TrialJob(metric, data, skipsBad);
        });
  }

  private static final class TrialJob implements Job {

    private final String metric;
    private final @Nullable Path given;
    private final boolean skipsBad;
    private @Nullable Path made;

    TrialJob(String metric, @Nullable Path given, boolean skipsBad) {
      this.metric = metric;
      this.given = given;
      this.skipsBad = skipsBad;
    }

    @Override
    public byte[] work(byte[] shared, byte[] piece) {
      TrialMessage message = TrialMessage.read("a trial", piece);
      Path folder = newFolder();
      try {
        return train(message.run(), message.to(), message.checkpoint(), folder);
      } finally {
        delete(folder);
      }
    }

    private byte[] train(String text, int to, byte[] checkpoint, Path folder) {
      try {
        ExecutionRun run = SentConfig.run(text);
        var options = TrainingOptions.trial(folder, to).skippingBad(skipsBad);
        Path from = checkpoint.length == 0 ? null : written(folder, checkpoint);
        try (TrainingRun<?> training = opened(run, options, data(run, folder))) {
          Trainer trainer = training.train(from);
          var segment =
              new TrialSegment(
                  (int) trainer.iterations(),
                  trainer.stopReason() == Stop.CALLBACK,
                  points(new RunFolder(folder)),
                  training.skipped(),
                  null);
          return result(segment, latest(new RunFolder(folder)));
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

    /// Initial weights of another model are a bad combination of settings.
    private static TrainingRun<?> opened(
        ExecutionRun run, TrainingOptions options, PreparedData data) {
      try {
        return TrainingRun.open(run, options, data, TrainingProgress.NONE, NO_CLOCK);
      } catch (CheckpointException e) {
        throw ConfigException.madeElsewhere(String.valueOf(e.getMessage()));
      }
    }

    /// Removes the temporary folder from the message, because it means nothing in another process.
    private static byte[] failed(Failure.Kind kind, @Nullable String message, Path folder) {
      String reason = String.valueOf(message).replace(folder.toString(), "the trial's folder");
      return result(TrialSegment.failed(new Failure(kind, reason)), new byte[0]);
    }

    /// Makes data that all trials share once per process, unless they exist already.
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
        JsonNode metrics = TrialMessage.JSON.readTree(line);
        if (metrics.has(metric)) {
          points.add(
              new Point(
                  metrics.required("iteration").intValue(),
                  TrialMessage.number(metrics.required(metric))));
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
        throw DataException.unwritable(file, e);
      }
    }

    /// Returns the only checkpoint of the run, which is saved at its end.
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
        throw DataException.unwritable(folder, e);
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
