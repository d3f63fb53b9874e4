package io.tranche.env;

/// Hears what the environments of a vector do. Log writers are listeners.
///
/// Called on the thread that drives the vector, for one environment after another in the order
/// asked for, whatever thread or process did the work.
public interface EnvListener {

  /// A collect begins.
  default void allReady() {}

  /// An episode begins in environment `env`.
  default void reset(int env, Observation observation) {}

  /// Environment `env` took a step.
  ///
  /// @param log what the step logged; valid until the environment's next step
  default void step(
      int env, Observation observation, double reward, boolean done, LogCollector log) {}

  /// An episode ended in an exception and was put aside.
  default void failed(EpisodeFailure failure) {}

  /// A collect ended without an exception.
  default void allDone() {}
}
