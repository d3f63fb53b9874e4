package io.tranche.trainer.checkpoint;

import io.tranche.policy.learn.AlgorithmState;
import io.tranche.policy.weights.StateDict;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The complete state of a run after an iteration: a run resumed from it continues as if it had
/// never stopped.
///
/// States are plain values: Map with texts as keys, List, String, Long, Double, Boolean, null.
///
/// @param policy the weights, under their keys in files
/// @param algorithm moments of the optimiser, statistics of returns and the like
/// @param metrics the metrics of the last iteration
/// @param callbacks states by name
/// @param loggers states by name
/// @param replay the replay buffer of an off-policy algorithm, see [ReplayBytes]; null if none
/// @param config the resolved configuration of the run, as text; may be empty
public record Checkpoint(
    StateDict policy,
    AlgorithmState algorithm,
    RunPosition position,
    Map<String, Double> metrics,
    Map<String, @Nullable Object> callbacks,
    Map<String, @Nullable Object> loggers,
    @Nullable ByteBuffer replay,
    String config) {

  public Checkpoint {
    metrics = copy(metrics);
    callbacks = copy(callbacks);
    loggers = copy(loggers);
    replay = replay == null ? null : replay.asReadOnlyBuffer();
  }

  private static <V extends @Nullable Object> Map<String, V> copy(Map<String, V> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }
}
