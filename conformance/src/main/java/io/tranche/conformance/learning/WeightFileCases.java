package io.tranche.conformance.learning;

import io.tranche.market.DataException;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// How a policy loads a `weight_file`. The files are those that `weight_files.py`, beside them,
/// made with the real torch, and so are the weights that must be found in them.
final class WeightFileCases {

  private WeightFileCases() {}

  static JsonNode answer(String content, Path folder) throws IOException {
    Path file = folder.resolve("weights.pth");
    try (InputStream in = WeightFileCases.class.getResourceAsStream(content + ".pth")) {
      if (in == null) {
        throw new DataException("input.content", "a known content", content);
      }
      Files.copy(in, file);
    }
    var weights = new Weights();
    weights.matrix("actor.extractor.fc.weight", 2, 3);
    weights.vector("actor.extractor.fc.bias", 2);
    weights.matrix("actor.layer_out.0.weight", 4, 2);
    weights.vector("actor.layer_out.0.bias", 4);
    weights.matrix("critic.value_out.weight", 1, 2);
    weights.vector("critic.value_out.bias", 1);
    PolicyWeights.ppo(weights).load(file);
    return JsonNodeFactory.instance
        .objectNode()
        .put("weights_equal", areThoseOfTorch(weights.parameters(), PolicyWeights.ppo(weights)));
  }

  /// The n-th number of the script's policy is (n - 11) / 16; Qlib's duplicates have the same ones.
  private static boolean areThoseOfTorch(List<Parameter> parameters, PolicyWeights loaded) {
    StateDict dict = loaded.stateDict();
    int number = 0;
    for (Parameter each : parameters) {
      float[] expected = new float[each.size()];
      for (int i = 0; i < expected.length; i++) {
        expected[i] = (number++ - 11) / 16f;
      }
      if (!has(dict.tensor(each.name()), expected)
          || !has(dict.tensor("_actor_critic." + each.name()), expected)) {
        return false;
      }
    }
    return true;
  }

  private static boolean has(@Nullable Tensor tensor, float[] expected) {
    return tensor != null && Arrays.equals(tensor.toArray(), expected);
  }
}
