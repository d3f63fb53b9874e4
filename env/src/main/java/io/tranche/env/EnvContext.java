package io.tranche.env;

/// What a component may know about the environment that calls it: the number of steps so far, and
/// the log.
///
/// It is passed with every call instead of being kept, so components stay stateless and can serve
/// many environments at once. (Qlib binds a weak reference `env` into each component.)
public interface EnvContext {

  /// A context outside any environment. Simulators log nothing critical, so its log keeps nothing.
  EnvContext SILENT = outside(new LogCollector(LogLevel.CRITICAL));

  /// Returns the number of decisions of this episode, including the current one.
  int step();

  /// Whether the simulator has reported the end of the episode.
  boolean isDone();

  /// Returns the log of the current step.
  LogCollector log();

  /// Returns a context outside any environment, for a component that is used on its own: no step,
  /// not done, and the caller's log, cleared.
  static EnvContext outside(LogCollector log) {
    log.clear();
    return new EnvContext() {
      @Override
      public int step() {
        return 0;
      }

      @Override
      public boolean isDone() {
        return false;
      }

      @Override
      public LogCollector log() {
        return log;
      }
    };
  }
}
