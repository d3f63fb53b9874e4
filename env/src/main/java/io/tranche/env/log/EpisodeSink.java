package io.tranche.env.log;

import io.tranche.env.space.Value;
import java.util.Locale;
import java.util.Map;

/// Receives the finished episodes of an [EpisodeLog]: a file, a server, a console, a buffer.
public interface EpisodeSink extends AutoCloseable {

  /// Returns its name in checkpoints: Qlib's name of its class, in lower case.
  default String name() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /// A collect begins: discard the data of the last one.
  default void begin() {}

  /// An environment has finished an episode.
  ///
  /// @param counters already include this episode
  void episode(EpisodeRecord episode, LogCounters counters);

  /// The collect is over.
  default void end(LogCounters counters) {}

  /// Returns the state for checkpoints besides the counters, named as in Qlib's `state_dict`.
  default Map<String, Value> state() {
    return Map.of();
  }

  /// @throws IllegalArgumentException if `state` lacks what [#state] returned
  default void restore(Value.Dict state) {}

  @Override
  default void close() {}
}
