package io.tranche.env.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/// Writes the curves that TensorBoard draws: each metric of each episode, and under `collect/` its
/// mean over each collect, against the number of episodes. Qlib's `TensorboardWriter` is empty.
public final class TensorBoardWriter implements EpisodeSink {

  private final EventFile events;
  private final InstantSource clock;
  private final String prefix;
  private final MetricMeans means = new MetricMeans();

  /// Creates a file as [EventFile#create] does.
  ///
  /// @param directory created if it does not exist
  /// @param prefix prefix of every name, such as `val/`; may be empty
  /// @param clock for the times of events
  /// @throws UncheckedIOException if the file cannot be created
  public TensorBoardWriter(Path directory, String prefix, InstantSource clock) {
    this.clock = clock;
    this.prefix = prefix;
    try {
      this.events = EventFile.create(directory, clock.instant());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void begin() {
    means.clear();
  }

  @Override
  public void episode(EpisodeRecord episode, LogCounters counters) {
    Map<String, Double> metrics = episode.metrics();
    means.add(metrics);
    write(prefix, counters, metrics);
  }

  @Override
  public void end(LogCounters counters) {
    write(prefix + "collect/", counters, means.means());
    FileAction.perform(() -> events.flush());
  }

  @Override
  public void close() {
    FileAction.perform(() -> events.close());
  }

  private void write(String before, LogCounters counters, Map<String, Double> metrics) {
    if (metrics.isEmpty()) {
      return;
    }
    var tagged = new LinkedHashMap<String, Double>();
    metrics.forEach((name, value) -> tagged.put(before + name, value));
    FileAction.perform(() -> events.scalars(clock.instant(), counters.globalEpisode(), tagged));
  }
}
