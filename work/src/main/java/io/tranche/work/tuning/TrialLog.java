package io.tranche.work.tuning;

import io.tranche.config.ConfigException;
import io.tranche.files.FolderLock;
import io.tranche.market.DataException;
import io.tranche.run.RunFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `trials.jsonl`: one line per segment of a trial, in the order in which segments finish. The file
/// only grows, and is all that a search needs to go on. A last line that a killed search left
/// incomplete is cut off.
///
/// One process at a time holds the log. Its threads may append.
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
    FolderLock lock = new RunFolder(file.resolveSibling("")).lock();
    try {
      return new TrialLog(
          file,
          lock,
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
    } catch (IOException e) {
      lock.close();
      throw DataException.unwritable(file, e);
    }
  }

  /// Deletes all lines.
  void clear() {
    try {
      channel.truncate(0);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  /// Reads all lines, and gets ready to append.
  ///
  /// @param trials by number; each is replaced by what the log knows about it
  /// @throws DataException if a line is damaged, or of another trial; says which
  void replay(Map<Integer, TrialRecord> trials) {
    try {
      int end = read(file, trials);
      channel.truncate(end);
      channel.position(end);
    } catch (IOException e) {
      throw new DataException(file.toString(), "a file that can be read", e.getMessage(), e);
    }
  }

  /// Reads all complete lines of a log, which may belong to another process.
  ///
  /// @return how many bytes they have
  static int read(Path file, Map<Integer, TrialRecord> trials) throws IOException {
    byte[] bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    int number = 0;
    int start = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        number++;
        take(trials, file + ":" + number, Arrays.copyOfRange(bytes, start, i));
        start = i + 1;
      }
    }
    return start;
  }

  private static void take(Map<Integer, TrialRecord> trials, String place, byte[] line) {
    try {
      JsonNode values = TrialMessage.JSON.readTree(line);
      int number = values.required("trial").intValue();
      TrialRecord known = trials.get(number);
      if (known == null) {
        return; // of a longer search
      }
      if (!settings(known.trial()).equals(values.required("settings"))) {
        throw new DataException(
            place, "the settings " + settings(known.trial()), values.required("settings"));
      }
      int from = values.required("from").intValue();
      if (from != known.trained()) {
        throw new DataException(
            place, "a segment that starts after %d iterations".formatted(known.trained()), from);
      }
      trials.put(number, known.plus(TrialSegment.read(values)));
    } catch (JacksonException e) {
      throw new DataException(place, "a line of a trial", e.getOriginalMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new DataException(place, "a line of a trial", e.getMessage(), e);
    }
  }

  /// @param before what was known before the segment
  synchronized void append(TrialRecord before, TrialSegment segment) {
    ObjectNode line = TrialMessage.JSON.createObjectNode().put("trial", before.trial().number());
    line.set("settings", settings(before.trial()));
    line.put("from", before.trained());
    byte[] json = TrialMessage.JSON.writeValueAsBytes(segment.addTo(line));
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

  private static ObjectNode settings(Trial trial) {
    ObjectNode settings = TrialMessage.JSON.createObjectNode();
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
