package io.tranche.env.log;

import io.tranche.env.space.Value;
import java.util.Map;

/// The numbers of steps and episodes that a log has seen.
///
/// @param episodeCount episodes finished in this collect
/// @param stepCount steps taken in this collect
/// @param globalStep steps taken since the log was made
/// @param globalEpisode episodes finished since the log was made
public record LogCounters(long episodeCount, long stepCount, long globalStep, long globalEpisode) {

  static final LogCounters ZERO = new LogCounters(0, 0, 0, 0);

  static LogCounters from(Value.Dict state) {
    return new LogCounters(
        LogValues.count(state, "episode_count"),
        LogValues.count(state, "step_count"),
        LogValues.count(state, "global_step"),
        LogValues.count(state, "global_episode"));
  }

  void writeTo(Map<String, Value> state) {
    state.put("episode_count", new Value.Plain(episodeCount));
    state.put("step_count", new Value.Plain(stepCount));
    state.put("global_step", new Value.Plain(globalStep));
    state.put("global_episode", new Value.Plain(globalEpisode));
  }

  LogCounters withNewCollect() {
    return new LogCounters(0, 0, globalStep, globalEpisode);
  }

  LogCounters withStep() {
    return new LogCounters(episodeCount, stepCount + 1, globalStep + 1, globalEpisode);
  }

  LogCounters withEpisode() {
    return new LogCounters(episodeCount + 1, stepCount, globalStep, globalEpisode + 1);
  }
}
