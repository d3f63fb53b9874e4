package io.tranche.trainer;

import io.tranche.env.LogWriter;
import io.tranche.env.Observation;
import io.tranche.env.space.Value;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.PlainValues;
import io.tranche.trainer.checkpoint.ReplayBytes;
import io.tranche.trainer.checkpoint.RunPosition;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns a run into a checkpoint and back.
record Resume(Path file, Checkpoint checkpoint) {

  static <I, O extends Observation> Checkpoint checkpoint(
      RunPosition position,
      VesselRun<I, O> run,
      Map<String, Double> metrics,
      Map<String, Callback> callbacks,
      Map<String, LogWriter> loggers,
      String config) {
    var callbackStates = new LinkedHashMap<String, @Nullable Object>();
    callbacks.forEach(
        (name, callback) -> {
          Map<String, @Nullable Object> state = callback.state();
          if (state != null) {
            callbackStates.put(name, state);
          }
        });
    var loggerStates = new LinkedHashMap<String, @Nullable Object>();
    loggers.forEach((name, logger) -> loggerStates.put(name, logger.state()));
    return new Checkpoint(
        run.vessel().algorithm().agent().weights().stateDict(),
        run.vessel().algorithm().state(),
        position,
        metrics,
        callbackStates,
        loggerStates,
        run.storesReplay() ? ReplayBytes.write(run.replay(), run.codec()) : null,
        config);
  }

  <I, O extends Observation> void restore(
      TrainerConfig config,
      VesselRun<I, O> run,
      Map<String, Callback> callbacks,
      Map<String, LogWriter> loggers) {
    if (config.seed() != checkpoint.position().seed()) {
      throw new CheckpointException(
          file + ": seed",
          "the seed %d of the run".formatted(config.seed()),
          checkpoint.position().seed());
    }
    ByteBuffer replay = checkpoint.replay();
    if (run.keepsReplay() != (replay != null)) {
      throw new CheckpointException(
          file.toString(),
          run.keepsReplay() ? "a replay buffer" : "no replay buffer",
          replay == null ? "none" : "one");
    }
    // The weights first: loading rejects a checkpoint of another model before anything has changed.
    run.vessel().algorithm().agent().load(file.toString(), checkpoint.policy());
    guarded("algorithm", () -> run.vessel().algorithm().restore(checkpoint.algorithm()));
    if (replay != null) {
      ReplayBytes.read(file + ": replay.bin", replay, run.replay(), run.codec());
    }
    run.goOnFrom(checkpoint.position().statesTaken());
    callbacks.forEach(
        (name, callback) -> {
          if (checkpoint.callbacks().get(name) instanceof Map<?, ?> state) {
            guarded("callbacks." + name, () -> callback.restore(texts(state)));
          }
        });
    loggers.forEach(
        (name, logger) -> {
          if (PlainValues.tree(checkpoint.loggers().get(name)) instanceof Value.Dict state) {
            guarded("loggers." + name, () -> logger.restore(state));
          }
        });
  }

  private static Map<String, @Nullable Object> texts(Map<?, ?> state) {
    var texts = new LinkedHashMap<String, @Nullable Object>();
    state.forEach((key, value) -> texts.put(String.valueOf(key), value));
    return texts;
  }

  private void guarded(String part, Runnable restore) {
    try {
      restore.run();
    } catch (IllegalArgumentException e) {
      throw new CheckpointException(file + ": " + part, "a state that fits", e.getMessage(), e);
    }
  }
}
