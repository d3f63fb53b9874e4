package io.tranche.policy.learn;

import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// The state of an algorithm besides the weights, for a checkpoint.
///
/// @param tensors in torch's layout, such as the moments of the optimiser
/// @param numbers such as the number of steps of the optimiser
public record AlgorithmState(StateDict tensors, Map<String, Double> numbers) {

  public static final AlgorithmState NOTHING =
      new AlgorithmState(new StateDict(Map.of()), Map.of());

  public AlgorithmState {
    numbers = Collections.unmodifiableMap(new TreeMap<>(numbers));
  }

  /// @throws IllegalArgumentException if there is none with that name
  public Tensor tensor(String name) {
    Tensor found = tensors.tensor(name);
    if (found == null) {
      throw missing(name);
    }
    return found;
  }

  /// @throws IllegalArgumentException if there is none with that name
  public double number(String name) {
    Double found = numbers.get(name);
    if (found == null) {
      throw missing(name);
    }
    return found;
  }

  private static IllegalArgumentException missing(String name) {
    return new IllegalArgumentException("state must have " + name + ", was without it");
  }
}
