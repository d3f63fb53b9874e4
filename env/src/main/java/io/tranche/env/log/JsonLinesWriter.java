package io.tranche.env.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;

/// Appends one line of JSON per episode with all logged values: the purpose of Qlib's empty
/// `PickleWriter`, in a format that any tool can read safely.
///
/// A line is `{"episode":7,"length":2,"values":{"reward":1.5,…}}`; with steps also
/// `"rewards":[…],"steps":[{"reward":0.5,…},…]`. There is one value for each name: the mean of
/// doubles (the sum for `reward`), the first of others.
public final class JsonLinesWriter implements EpisodeSink {

  private final Writer out;
  private final boolean hasSteps;

  /// @param file created if it does not exist; a resumed run appends to it
  /// @param hasSteps whether lines contain the values of each step
  /// @throws UncheckedIOException if it cannot be opened
  public JsonLinesWriter(Path file, boolean hasSteps) {
    this.hasSteps = hasSteps;
    try {
      this.out =
          Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void episode(EpisodeRecord episode, LogCounters counters) {
    var line = new LinkedHashMap<String, Object>();
    line.put("episode", counters.globalEpisode());
    line.put("length", episode.length());
    line.put("values", episode.values(_ -> true));
    if (hasSteps) {
      line.put("rewards", episode.rewards());
      line.put("steps", episode.steps());
    }
    FileAction.perform(() -> out.append(JsonText.of(line)).append('\n'));
  }

  @Override
  public void end(LogCounters counters) {
    FileAction.perform(() -> out.flush());
  }

  @Override
  public void close() {
    FileAction.perform(() -> out.close());
  }
}
