package io.tranche.policy.weights;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Tensors by name, in file order.
public record StateDict(Map<String, Tensor> tensors) {

  public StateDict {
    tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
  }

  public @Nullable Tensor tensor(String name) {
    return tensors.get(name);
  }

  @Override
  public String toString() {
    return "a state dict of %d tensors".formatted(tensors.size());
  }
}
