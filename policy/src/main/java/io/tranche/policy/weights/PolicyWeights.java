package io.tranche.policy.weights;

import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The weights of a policy, as they stand in files.
///
/// Loading is strict. The parameters must all be there under their own keys, each in its shape and
/// finite; their duplicates may be absent, as in files of old versions of tianshou, but not
/// different; there must be nothing else.
public record PolicyWeights(List<Part> parts) {

  /// @param keys how `weights` stand in the file
  public record Part(Weights weights, KeyMap keys) {}

  public PolicyWeights {
    parts = List.copyOf(parts);
    for (Part part : parts) {
      part.weights().parameters().forEach(each -> part.keys().keys(each.name())); // all have some
    }
  }

  public static PolicyWeights ppo(Weights weights) {
    return new PolicyWeights(List.of(new Part(weights, KeyMap.PPO)));
  }

  /// Without a target network.
  public static PolicyWeights dqn(Weights online) {
    return new PolicyWeights(List.of(new Part(online, KeyMap.DQN)));
  }

  public static PolicyWeights dqn(Weights online, Weights target) {
    return new PolicyWeights(
        List.of(new Part(online, KeyMap.DQN), new Part(target, KeyMap.DQN_TARGET)));
  }

  /// Returns a copy of the weights under all their keys, in Qlib's order; the keys of a parameter
  /// share one tensor.
  public StateDict stateDict() {
    var dict = new LinkedHashMap<String, Tensor>();
    for (Part part : parts) {
      var tensors = new LinkedHashMap<String, Tensor>();
      for (Parameter each : part.weights().parameters()) {
        float[] elements = Weights.rowMajor(each, part.weights().values());
        tensors.put(each.name(), Tensor.owning(each.shape(), elements));
      }
      for (KeyMap.Rule rule : part.keys().rules()) {
        tensors.forEach(
            (name, tensor) -> {
              if (rule.matches(name)) {
                dict.put(rule.key(name), tensor);
              }
            });
      }
    }
    return new StateDict(dict);
  }

  /// Takes all weights from a file of any format that [WeightFiles] reads, or none.
  ///
  /// @throws CheckpointException if the file cannot be read or is for another model; then it names
  ///   every tensor that is missing, extra, of another shape, not finite, or not what its duplicate
  ///   is
  public void load(Path file) {
    load(file.toString(), WeightFiles.read(file));
  }

  /// Takes all weights from `dict`, or none.
  ///
  /// @param where what to call the dict in errors
  /// @throws CheckpointException as [#load(Path)]
  public void load(String where, StateDict dict) {
    Map<String, Tensor> left = new LinkedHashMap<>(dict.tensors());
    var found = new ArrayList<Found>();
    var problems = new ArrayList<String>();
    for (Part part : parts) {
      for (Parameter each : part.weights().parameters()) {
        Tensor tensor = take(left, part.keys().keys(each.name()), each.shape(), problems);
        if (tensor != null) {
          found.add(new Found(part.weights(), each, tensor));
        }
      }
    }
    left.forEach((key, tensor) -> problems.add("extra %s %s".formatted(key, tensor.shape())));
    if (!problems.isEmpty()) {
      throw new CheckpointException(
          where, "the weights of this model", "a file with " + String.join("; ", problems));
    }
    found.forEach(each -> each.weights().load(each.parameter(), each.tensor().toArray()));
  }

  private record Found(Weights weights, Parameter parameter, Tensor tensor) {}

  /// Takes a parameter and its duplicates out of `left`, and notes what is wrong with them.
  private static @Nullable Tensor take(
      Map<String, Tensor> left, List<String> keys, List<Integer> shape, List<String> problems) {
    String own = keys.getFirst();
    Tensor tensor = left.remove(own);
    if (tensor == null) {
      problems.add("missing %s %s".formatted(own, shape));
    } else if (!tensor.shape().equals(shape)) {
      problems.add("%s of shape %s instead of %s".formatted(own, tensor.shape(), shape));
    } else if (!tensor.isFinite()) {
      problems.add("%s not finite".formatted(own));
    }
    for (String duplicate : keys.subList(1, keys.size())) {
      Tensor other = left.remove(duplicate);
      if (other != null && tensor != null && !other.sameAs(tensor)) {
        problems.add("%s %s unlike %s".formatted(duplicate, other.shape(), own));
      }
    }
    return tensor;
  }
}
