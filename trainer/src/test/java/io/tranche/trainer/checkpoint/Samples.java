package io.tranche.trainer.checkpoint;

import io.tranche.policy.learn.AlgorithmState;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Checkpoints to write and read.
final class Samples {

  private Samples() {}

  /// @param size how many weights it has
  static Checkpoint checkpoint(long iterations, int size) {
    float[] numbers = new float[size];
    Arrays.fill(numbers, (float) iterations);
    var shared = Tensor.of(List.of(size), numbers);
    var policy = new LinkedHashMap<String, Tensor>();
    policy.put("actor.weight", shared);
    policy.put("_actor_critic.weight", shared);
    var state = new LinkedHashMap<String, @Nullable Object>();
    state.put("count", 3L);
    state.put("number", 3.0);
    state.put("nan", Double.NaN);
    state.put("infinite", Double.NEGATIVE_INFINITY);
    state.put("zero", -0.0);
    state.put("text", "é \" \u0000 \ud83d\ude00");
    state.put("truth", true);
    state.put("nothing", null);
    state.put("list", List.of(1L, 2.5, "three", List.of(), Map.of()));
    return new Checkpoint(
        new StateDict(policy),
        new AlgorithmState(
            new StateDict(Map.of("moment", Tensor.of(List.of(2, 1), 0.5f, 0.25f))),
            Map.of("steps", 7.0, "odd", 0.1)),
        new RunPosition(-5, iterations, 12, Stage.VALIDATE, Stop.BUDGET, 40, 1),
        Map.of("reward", Double.NaN),
        Map.of("mine", state),
        Map.of(),
        ByteBuffer.wrap(new byte[] {1, 2, 3}),
        "seed: 5\n");
  }
}
