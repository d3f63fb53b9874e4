package io.tranche.trainer.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.files.Archive;
import io.tranche.files.ArchiveFormat;
import io.tranche.market.DataException;
import io.tranche.policy.learn.AlgorithmState;
import io.tranche.policy.state.Fields;
import io.tranche.policy.state.PlainJson;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.SafeTensors;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.WeightFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A checkpoint in a file: an uncompressed zip of safetensors and JSON. Nothing in it is executed.
///
/// Equal checkpoints give equal bytes. A file becomes visible only when it is complete, and is used
/// only after all entries match the checksums of the manifest.
public final class CheckpointFile {

  /// The suffix of checkpoints.
  public static final String SUFFIX = ".ckpt";

  /// The archive format of checkpoints.
  public static final ArchiveFormat FORMAT = new ArchiveFormat("tranche-checkpoint", 1, false);

  private static final String STATE = "state.json";
  private static final String CONFIG = "config.yml";
  private static final String WEIGHTS = "weights.safetensors";
  private static final String ALGORITHM = "algorithm.safetensors";
  private static final String REPLAY = "replay.bin";

  private CheckpointFile() {}

  /// Writes a checkpoint and creates missing folders.
  ///
  /// @throws DataException if it cannot be written; an earlier file is kept, and no temporary file
  ///   is left
  public static void write(Path file, Checkpoint checkpoint) {
    var entries = new LinkedHashMap<String, byte[]>();
    entries.put(STATE, PlainJson.write(state(checkpoint)));
    entries.put(CONFIG, checkpoint.config().getBytes(UTF_8));
    entries.put(WEIGHTS, tensors(checkpoint.policy()));
    entries.put(ALGORITHM, tensors(checkpoint.algorithm().tensors()));
    ByteBuffer replay = checkpoint.replay();
    if (replay != null) {
      byte[] bytes = new byte[replay.remaining()];
      replay.duplicate().get(bytes);
      entries.put(REPLAY, bytes);
    }
    try {
      Archive.write(FORMAT, entries, file);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  private static byte[] tensors(StateDict dict) {
    return new SafeTensors(dict, Map.of()).toBytes();
  }

  private static Map<String, @Nullable Object> state(Checkpoint checkpoint) {
    RunPosition position = checkpoint.position();
    var state = new LinkedHashMap<String, @Nullable Object>();
    state.put("seed", position.seed());
    state.put("iterations", position.iterations());
    state.put("episodes", position.episodes());
    state.put("stage", position.stage().name());
    state.put("stop", position.stop() == null ? null : position.stop().name());
    state.put("states_taken", position.statesTaken());
    state.put("failed_episodes", position.failedEpisodes());
    state.put("metrics", checkpoint.metrics());
    state.put("algorithm", checkpoint.algorithm().numbers());
    state.put("callbacks", checkpoint.callbacks());
    state.put("loggers", checkpoint.loggers());
    return state;
  }

  /// @throws CheckpointException naming file, entry, what was expected and what was found, if the
  ///   file is missing, damaged, cut off, of a newer version or of another kind
  public static Checkpoint read(Path file) {
    try {
      Archive archive = Archive.read(FORMAT, file);
      Fields state = fields(file, archive);
      byte[] replay = archive.entries().get(REPLAY);
      return new Checkpoint(
          tensors(file, archive, WEIGHTS),
          new AlgorithmState(tensors(file, archive, ALGORITHM), state.field("algorithm").numbers()),
          position(state),
          state.field("metrics").numbers(),
          state.field("callbacks").map(),
          state.field("loggers").map(),
          replay == null ? null : ByteBuffer.wrap(replay),
          new String(archive.entry(CONFIG), UTF_8));
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  /// Returns the number of completed iterations, without reading tensors.
  ///
  /// @throws CheckpointException as for [#read]
  static long iterations(Path file) {
    try {
      return position(fields(file, Archive.read(FORMAT, file, STATE))).iterations();
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  /// Reads the policy's tensors from one of our checkpoints, one of Qlib's trainer, or any other
  /// weight file.
  ///
  /// @throws CheckpointException if the file is missing, damaged or of another kind
  public static StateDict policyState(Path file) {
    return isArchive(file) ? read(file).policy() : WeightFiles.read(file);
  }

  /// Whether a file begins like our checkpoints and bundles; the rest may be damaged.
  ///
  /// @throws CheckpointException if it cannot be read
  public static boolean isArchive(Path file) {
    try {
      return Archive.isLikely(file);
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  private static Fields fields(Path file, Archive archive) throws IOException {
    String where = file + ": " + STATE;
    return new Fields(where, PlainJson.read(where, archive.entry(STATE)));
  }

  private static StateDict tensors(Path file, Archive archive, String entry) throws IOException {
    return SafeTensors.read(file + ": " + entry, archive.entry(entry)).tensors();
  }

  private static RunPosition position(Fields state) {
    Fields stop = state.field("stop");
    return new RunPosition(
        state.field("seed").count(),
        state.field("iterations").count(),
        state.field("episodes").count(),
        state.field("stage").constant(Stage.values()),
        stop.value() == null ? null : stop.constant(Stop.values()),
        state.field("states_taken").count(),
        state.field("failed_episodes").count());
  }
}
