package io.tranche.work.tuning;

import io.tranche.config.ConfigException;
import io.tranche.files.FolderLock;
import io.tranche.market.DataException;
import io.tranche.policy.state.Fields;
import io.tranche.policy.state.PlainJson;
import io.tranche.policy.weights.CheckpointException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `trials.jsonl`: a line for every stretch of a trial, as they are finished. It only grows, and is
/// all that a search needs to go on; what a killed search left of its last line is cut off.
///
/// Held by one process at a time. Threads may append.
final class TrialLog implements AutoCloseable {

  private final Path file;
  private final FolderLock lock;
  private final FileChannel channel;

  private TrialLog(Path file, FolderLock lock, FileChannel channel) {
    this.file = file;
    this.lock = lock;
    this.channel = channel;
  }

  /// Opens a log, which may be new.
  ///
  /// @throws ConfigException if another search is at work in the same folder
  static TrialLog open(Path file) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      FolderLock lock = FolderLock.tryTake(folder);
      if (lock == null) {
        throw new ConfigException(
            "--out", "a directory that no other search is at work in", file.getParent());
      }
      try {
        return new TrialLog(
            file,
            lock,
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE));
      } catch (IOException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  /// Forgets everything.
  void clear() {
    try {
      channel.truncate(0);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  /// Reads what there is, and makes the end a place to append to.
  ///
  /// @param trials by their numbers; each is replaced by what is known of it
  /// @throws DataException if a line is damaged, or of another trial; says which
  void replay(Map<Integer, TrialRecord> trials) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      int number = 0;
      int start = 0;
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] == '\n') {
          number++;
          take(trials, file + ":" + number, Arrays.copyOfRange(bytes, start, i));
          start = i + 1;
        }
      }
      channel.truncate(start);
      channel.position(start);
    } catch (IOException e) {
      throw new DataException(file.toString(), "a file that can be read", e.getMessage(), e);
    }
  }

  private static void take(Map<Integer, TrialRecord> trials, String place, byte[] line) {
    try {
      var words = new Fields(place, PlainJson.read(place, line));
      int number = (int) words.field("trial").count();
      TrialRecord known = trials.get(number);
      if (known == null) {
        return; // of a longer search
      }
      if (!settings(known.trial()).equals(words.field("settings").map())) {
        throw new DataException(
            place, "the settings " + settings(known.trial()), words.field("settings").map());
      }
      if (words.field("from").count() != known.trained()) {
        throw new DataException(
            place,
            "to go on after %d iterations".formatted(known.trained()),
            words.field("from").count());
      }
      trials.put(number, known.plus(TrialSegment.of(words)));
    } catch (CheckpointException e) {
      throw DataException.madeElsewhere(String.valueOf(e.getMessage()));
    }
  }

  /// @param before what was known before
  synchronized void append(TrialRecord before, TrialSegment stretch) {
    var line = new LinkedHashMap<String, @Nullable Object>();
    line.put("trial", before.trial().number());
    line.put("settings", settings(before.trial()));
    line.put("from", before.trained());
    line.putAll(stretch.words());
    byte[] json = PlainJson.write(line);
    ByteBuffer bytes = ByteBuffer.allocate(json.length + 1).put(json).put((byte) '\n').flip();
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(false);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  private static Map<String, @Nullable Object> settings(Trial trial) {
    var settings = new LinkedHashMap<String, @Nullable Object>();
    trial.settings().forEach(setting -> settings.put(setting.path(), setting.value()));
    return settings;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    } finally {
      lock.close();
    }
  }
}
