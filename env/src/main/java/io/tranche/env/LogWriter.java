package io.tranche.env;

import io.tranche.env.space.Value;
import java.util.Locale;
import java.util.Map;

/// Receives everything that happens in a vector environment. Qlib: `qlib.rl.utils.LogWriter`.
///
/// Called by one thread at a time. A collect is one `onEnvAllReady`, then resets and steps in any
/// mix of environments, then one `onEnvAllDone`, which is left out when the collect fails.
public interface LogWriter extends AutoCloseable {

  /// Returns the name by which checkpoints know it: the name of its class, in lower case.
  default String name() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /// Returns the lowest level that it wants.
  LogLevel level();

  /// A collect begins.
  void onEnvAllReady();

  /// An environment begins an episode.
  void onEnvReset(int env, Observation observation);

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
  void onEnvAllDone();

  /// Returns what a checkpoint has to keep for [#restore].
  Value.Dict state();

  /// @throws IllegalArgumentException if `state` is not what [#state] returned
  void restore(Value.Dict state);

  /// Completes what is being written. Called once, by the owner of the writer.
  @Override
  void close();
}
