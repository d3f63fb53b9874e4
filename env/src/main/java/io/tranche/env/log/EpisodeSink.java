package io.tranche.env.log;

import io.tranche.env.space.Value;
import java.util.Locale;
import java.util.Map;

/// Where the finished episodes of an [EpisodeLog] go: a file, a server, a console, a buffer.
public interface EpisodeSink extends AutoCloseable {

  /// Returns the name by which checkpoints know it: Qlib's name of its class, in lower case.
  default String name() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /// A collect begins: forget what was gathered in the last one.
  default void begin() {}

  /// An environment has finished an episode.
  ///
  /// @param counters with this episode counted
  void episode(EpisodeRecord episode, LogCounters counters);

  /// The collect is over.
  default void end(LogCounters counters) {}

  /// Returns what a checkpoint has to keep besides the counters; names as Qlib's `state_dict`.
  default Map<String, Value> state() {
    return Map.of();
  }

  /// @throws IllegalArgumentException if `state` lacks what [#state] returned
  default void restore(Value.Dict state) {}

  @Override
  default void close() {}
}
