package io.tranche.env;

import io.tranche.env.space.Value;
import java.util.Locale;
import java.util.Map;

/// Receives all events of a vector environment. Qlib: `qlib.rl.utils.LogWriter`.
///
/// Called by one thread at a time. A collect is one `onEnvAllReady`, then resets and steps of all
/// environments in any order, then one `onEnvAllDone`, which is missing when the collect fails.
public interface LogWriter extends AutoCloseable {

  /// Returns its name in checkpoints: the name of its class, in lower case.
  default String name() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /// Returns the lowest level that it accepts. At [LogLevel#DEBUG] it also receives observations,
  /// actions, side information and the history of each order.
  default LogLevel level() {
    return LogLevel.PERIODIC;
  }

  /// A collect begins.
  default void onEnvAllReady() {}

  /// An environment begins an episode.
  default void onEnvReset(int env, Observation observation) {}

  /// An environment has taken a decision.
  ///
  /// @param done whether this was the last decision of its episode
  /// @param log what the step logged; valid during the call
  /// @throws IllegalStateException if the environment was never reset
  void onEnvStep(
      int env,
      Observation observation,
      double reward,
      boolean done,
      Map<String, LogCollector.Entry> log);

  /// The collect is over.
  default void onEnvAllDone() {}

  /// Returns the state that a checkpoint keeps for [#restore].
  default Value.Dict state() {
    return new Value.Dict(Map.of());
  }

  /// @throws IllegalArgumentException if `state` is not what [#state] returned
  default void restore(Value.Dict state) {}

  /// Completes what is being written. Called once, by the owner of the writer.
  @Override
  default void close() {}
}
