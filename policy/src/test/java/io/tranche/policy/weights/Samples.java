package io.tranche.policy.weights;

import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import io.tranche.testkit.Shared;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Files of real PyTorch, and models that go with them.
final class Samples {

  private Samples() {}

  static Path file(String name) {
    return Shared.root().resolve("policy/src/test/resources/weights").resolve(name);
  }

  /// The model of `checkpoint.pth`, drawn at random.
  static Weights ppo(long seed) {
    var weights = new Weights();
    weights.matrix("actor.extractor.fc.weight", 2, 3);
    weights.vector("actor.extractor.fc.bias", 2);
    weights.matrix("actor.layer_out.0.weight", 4, 2);
    weights.vector("actor.layer_out.0.bias", 4);
    weights.matrix("critic.value_out.weight", 1, 2);
    weights.vector("critic.value_out.bias", 1);
    return drawn(weights, seed);
  }

  static Weights dqn(long seed) {
    var weights = new Weights();
    weights.matrix("model.layer_out.0.weight", 4, 2);
    weights.vector("model.layer_out.0.bias", 4);
    return drawn(weights, seed);
  }

  private static Weights drawn(Weights weights, long seed) {
    var random = new SplittableRandom(seed);
    for (Parameter each : weights.parameters()) {
      weights.fillUniform(each, 1, random);
    }
    return weights;
  }

  /// Tensors of up to three dimensions, some shared, some empty, with every kind of number.
  static StateDict random(SplittableRandom random) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    for (int i = random.nextInt(1, 8); i > 0; i--) {
      List<Integer> shape =
          Stream.generate(() -> random.nextInt(5)).limit(random.nextInt(4)).toList();
      float[] elements = new float[(int) Shapes.elements(shape)];
      for (int j = 0; j < elements.length; j++) {
        elements[j] = Float.intBitsToFloat(random.nextInt());
      }
      Tensor tensor = Tensor.of(shape, elements);
      tensors.put("layer \"%d\".é".formatted(i), tensor);
      if (random.nextBoolean()) {
        tensors.put("again." + i, tensor);
      }
    }
    return new StateDict(tensors);
  }

  static Tensor tensor(StateDict dict, String name) {
    return Objects.requireNonNull(dict.tensor(name), name);
  }
}
