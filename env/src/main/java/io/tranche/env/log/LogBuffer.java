package io.tranche.env.log;

import io.tranche.env.space.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Keeps the metrics of the latest episode and of the collect so far, and reports changes. Qlib:
/// `qlib.rl.utils.LogBuffer`.
public final class LogBuffer implements EpisodeSink {

  /// The event that completed the metrics.
  public enum Moment {
    EPISODE,
    COLLECT
  }

  /// Called when there are new metrics.
  @FunctionalInterface
  public interface Listener {
    void on(Moment moment, LogBuffer buffer);
  }

  private static final String COUNTS = "aggregated_counts";

  private final Listener listener;
  private final boolean dilutes;
  private final Map<String, Double> counts = new LinkedHashMap<>();
  private final Map<String, Double> totals = new LinkedHashMap<>();
  private @Nullable Map<String, Double> latest;
  private LogCounters counters = LogCounters.ZERO;

  /// Makes a buffer that averages over all episodes, as Qlib does.
  public LogBuffer(Listener listener) {
    this(listener, true);
  }

  /// @param dilutes whether a metric that only some episodes have is averaged over all episodes
  public LogBuffer(Listener listener, boolean dilutes) {
    this.listener = listener;
    this.dilutes = dilutes;
  }

  @Override
  public void begin() {
    latest = null;
    totals.clear();
    counts.clear();
  }

  @Override
  public void episode(EpisodeRecord episode, LogCounters now) {
    counters = now;
    Map<String, Double> metrics = episode.metrics();
    metrics.forEach(
        (name, value) -> {
          totals.merge(name, value, Double::sum);
          counts.merge(name, 1.0, Double::sum);
        });
    latest = metrics;
    listener.on(Moment.EPISODE, this);
  }

  @Override
  public void end(LogCounters now) {
    counters = now;
    listener.on(Moment.COLLECT, this);
  }

  /// Returns the counters at the last call of the listener.
  public LogCounters counters() {
    return counters;
  }

  /// Returns the metrics of the latest episode of this collect.
  ///
  /// @throws IllegalStateException if none has finished yet
  public Map<String, Double> episodeMetrics() {
    if (latest == null) {
      throw new IllegalStateException("an episode must have finished, was none in this collect");
    }
    return latest;
  }

  /// Returns the metrics of this collect so far, averaged over its episodes.
  public Map<String, Double> collectMetrics() {
    var metrics = new LinkedHashMap<String, Double>();
    totals.forEach(
        (name, total) ->
            metrics.put(
                name,
                total
                    / (dilutes ? counters.episodeCount() : counts.getOrDefault(name, Double.NaN))));
    return metrics;
  }

  @Override
  public Map<String, Value> state() {
    var state = new LinkedHashMap<String, Value>();
    state.put("latest_metrics", LogValues.of(latest));
    state.put("aggregated_metrics", LogValues.of(totals));
    if (!dilutes) {
      state.put(COUNTS, LogValues.of(counts));
    }
    return state;
  }

  @Override
  public void restore(Value.Dict state) {
    latest =
        state.entries().get("latest_metrics") instanceof Value.Plain(var none) && none == null
            ? null
            : LogValues.numbers(state, "latest_metrics");
    totals.clear();
    totals.putAll(LogValues.numbers(state, "aggregated_metrics"));
    counts.clear();
    if (!dilutes) {
      counts.putAll(LogValues.numbers(state, COUNTS));
    }
    counters = LogCounters.from(state);
  }
}
