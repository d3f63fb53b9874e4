package io.tranche.trainer.callback;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.market.DataException;
import io.tranche.policy.state.PlainJson;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.Trainer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Appends one line of JSON per iteration, with all its metrics, to a file that dashboards read,
/// such as `metrics.jsonl`: `{"iteration":1,"episode":64,"reward":0.25,…}`.
///
/// A resumed run continues after the last line of its checkpoint: lines that a killed run wrote
/// later are cut off.
public final class RunLog implements Callback {

  private final Path file;
  private long length;
  private boolean isRestored;

  /// @param file created if it does not exist, and replaced by a new run
  public RunLog(Path file) {
    this.file = file;
  }

  @Override
  public void on(Hook hook, Trainer trainer) {
    if (hook == Hook.FIT_START) {
      length = isRestored ? length : 0;
      isRestored = false;
      append(ByteBuffer.allocate(0), trainer);
    } else if (hook == Hook.ITERATION_END) {
      var line = new LinkedHashMap<String, @Nullable Object>();
      line.put("iteration", trainer.iterations());
      line.put("episode", trainer.episodes());
      // Numbers that JSON lacks become texts such as "NaN", which any tool can read.
      for (var metric : trainer.metrics().entrySet()) {
        Double value = metric.getValue();
        line.put(metric.getKey(), Double.isFinite(value) ? value : value.toString());
      }
      String text = new String(PlainJson.write(line), UTF_8) + "\n";
      append(ByteBuffer.wrap(text.getBytes(UTF_8)), trainer);
    }
  }

  /// Truncates the file to the lines of this run and appends.
  private void append(ByteBuffer bytes, Trainer trainer) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      try (var channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        if (channel.size() < length) {
          trainer
              .progress()
              .message(
                  "%s should have %d bytes, was %d: lines are missing"
                      .formatted(file, length, channel.size()));
          length = channel.size();
        }
        channel.truncate(length);
        channel.position(length);
        while (bytes.hasRemaining()) {
          length += channel.write(bytes);
        }
      }
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  @Override
  public Map<String, @Nullable Object> state() {
    var state = new LinkedHashMap<String, @Nullable Object>();
    state.put("bytes", length);
    return state;
  }

  @Override
  public void restore(Map<String, @Nullable Object> state) {
    length = States.count(state, "bytes");
    isRestored = true;
  }
}
