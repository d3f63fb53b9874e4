package io.tranche.runtime;

import io.tranche.files.Sha256;
import io.tranche.policy.weights.StateDict;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeMap;

/// Hashes everything that a decision depends on.
final class ModelFingerprint {

  private ModelFingerprint() {}

  static String of(ModelSpec spec, List<StateDict> weights) {
    var hash = new Sha256();
    for (Object part :
        List.of(
            spec.isQlib(),
            spec.network().toYaml(),
            spec.policy().toYaml(),
            spec.actions().toYaml(),
            spec.maxSteps(),
            spec.ticksPerStep(),
            spec.mirrors(),
            spec.session(),
            spec.frequency(),
            spec.features(),
            spec.combination())) {
      hash.add(part.toString());
    }
    for (StateDict dict : weights) {
      // Sorted by name: files list the aliases of a tensor elsewhere, in another order.
      new TreeMap<>(dict.tensors())
          .forEach(
              (name, tensor) -> {
                hash.add(name + tensor.shape());
                float[] elements = tensor.toArray();
                var bytes = ByteBuffer.allocate(Math.multiplyExact(elements.length, Float.BYTES));
                bytes.asFloatBuffer().put(elements);
                hash.add(bytes);
              });
    }
    return hash.hex();
  }
}
