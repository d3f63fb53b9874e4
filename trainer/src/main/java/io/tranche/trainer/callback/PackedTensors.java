package io.tranche.trainer.callback;

import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.SafeTensors;
import io.tranche.policy.weights.StateDict;
import java.util.Base64;
import java.util.Map;

/// Tensors as a plain value: the text of a safetensors file in base 64.
final class PackedTensors {

  private PackedTensors() {}

  static String pack(StateDict tensors) {
    return Base64.getEncoder().encodeToString(new SafeTensors(tensors, Map.of()).toBytes());
  }

  /// @throws IllegalArgumentException if `packed` is not what [#pack] returned
  static StateDict unpack(Object packed) {
    if (!(packed instanceof String text)) {
      throw States.wrong("packed tensors", "a text", packed);
    }
    try {
      return SafeTensors.read("packed tensors", Base64.getDecoder().decode(text)).tensors();
    } catch (CheckpointException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
