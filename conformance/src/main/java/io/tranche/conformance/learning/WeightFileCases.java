package io.tranche.conformance.learning;

import io.tranche.market.DataException;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.policy.weights.TorchFile;
import io.tranche.policy.weights.TrainerCheckpoint;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// How a policy loads a `weight_file`.
final class WeightFileCases {

  /// A trainer's checkpoint as the real torch saved it, with metrics of numpy's types.
  private static final String NUMPY_METRICS = "numpy_metrics.pth";

  private WeightFileCases() {}

  static JsonNode answer(String content, Path folder) throws IOException {
    Path file = folder.resolve("weights.pth");
    StateDict saved = drawn().stateDict();
    switch (content) {
      case "plain_state_dict" -> TorchFile.write(file, saved);
      case "trainer_checkpoint_python_floats" -> checkpoint(saved).write(file);
      case "trainer_checkpoint_numpy_metrics" -> {
        try (InputStream in = WeightFileCases.class.getResourceAsStream(NUMPY_METRICS)) {
          if (in == null) {
            throw new DataException(NUMPY_METRICS, "a resource", "none");
          }
          Files.copy(in, file);
        }
        saved = TrainerCheckpoint.read(file).policy();
      }
      case "without_actor_critic_duplicates" ->
          TorchFile.write(file, only(saved, key -> !key.startsWith("_actor_critic.")));
      case "missing_critic" ->
          TorchFile.write(file, only(saved, key -> !key.contains("critic.value_out")));
      default -> throw new DataException("input.content", "a known content", content);
    }
    PolicyWeights loaded = model();
    loaded.load(file);
    return JsonNodeFactory.instance
        .objectNode()
        .put("weights_equal", areEqual(loaded.stateDict(), saved));
  }

  /// The model of the file that torch made.
  private static PolicyWeights model() {
    var weights = new Weights();
    weights.matrix("actor.extractor.fc.weight", 2, 3);
    weights.vector("actor.extractor.fc.bias", 2);
    weights.matrix("actor.layer_out.0.weight", 4, 2);
    weights.vector("actor.layer_out.0.bias", 4);
    weights.matrix("critic.value_out.weight", 1, 2);
    weights.vector("critic.value_out.bias", 1);
    return PolicyWeights.ppo(weights);
  }

  private static PolicyWeights drawn() {
    PolicyWeights model = model();
    Weights weights = model.parts().getFirst().weights();
    var random = new SplittableRandom(1);
    for (Parameter each : weights.parameters()) {
      weights.fillUniform(each, 1, random);
    }
    return model;
  }

  private static TrainerCheckpoint checkpoint(StateDict policy) {
    return new TrainerCheckpoint(
        policy, Map.of(), Map.of(), false, 1, 2, "train", Map.of("reward", 0.5), Map.of());
  }

  private static StateDict only(StateDict dict, Predicate<String> wanted) {
    var kept = new LinkedHashMap<>(dict.tensors());
    kept.keySet().removeIf(wanted.negate());
    return new StateDict(kept);
  }

  private static boolean areEqual(StateDict one, StateDict other) {
    return one.tensors().keySet().equals(other.tensors().keySet())
        && one.tensors().entrySet().stream()
            .allMatch(
                named -> {
                  Tensor twin = other.tensor(named.getKey());
                  return twin != null && named.getValue().sameAs(twin);
                });
  }
}
