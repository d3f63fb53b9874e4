package io.tranche.env.log;

import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.LogWriter;
import io.tranche.env.Observation;
import io.tranche.env.space.Value;

/// Environments that log what a test wants them to.
final class Episodes {

  static final Observation NOTHING = () -> new Value.Plain(null);

  private Episodes() {}

  /// Runs one episode of `rewards.length` steps, the last of which also logs how many there were.
  static void run(LogWriter writer, int env, double... rewards) {
    writer.onEnvReset(env, NOTHING);
    for (int i = 0; i < rewards.length; i++) {
      step(writer, env, rewards[i], i == rewards.length - 1, rewards.length);
    }
  }

  static void step(LogWriter writer, int env, double reward, boolean isDone, int length) {
    var log = new LogCollector(LogLevel.DEBUG);
    log.clear();
    log.scalar("reward", reward);
    log.scalar("debug", 1, LogLevel.DEBUG);
    if (isDone) {
      log.scalar("steps_per_episode", length);
      log.string("stock_id", "S" + env, LogLevel.PERIODIC);
    }
    writer.onEnvStep(env, NOTHING, reward, isDone, log.entries());
  }
}
