package io.tranche.policy.weights;

import io.tranche.config.ConfigException;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The weights of a policy as stored in files.
///
/// Loading is strict. Every parameter must be present under its own key, with its shape and finite.
/// Duplicates may be absent, as in files of old tianshou versions, but must not differ. Nothing
/// else may be present.
public record PolicyWeights(List<Part> parts) {

  /// @param keys the keys of `weights` in the file
  public record Part(Weights weights, KeyMap keys) {}

  public PolicyWeights {
    parts = List.copyOf(parts);
    for (Part part : parts) {
      part.weights().parameters().forEach(each -> part.keys().keys(each.name())); // all have keys
    }
  }

  public static PolicyWeights ppo(Weights weights) {
    return new PolicyWeights(List.of(new Part(weights, KeyMap.PPO)));
  }

  /// Returns the weights of a DQN without a target network.
  public static PolicyWeights dqn(Weights online) {
    return new PolicyWeights(List.of(new Part(online, KeyMap.DQN)));
  }

  public static PolicyWeights dqn(Weights online, Weights target) {
    return new PolicyWeights(
        List.of(new Part(online, KeyMap.DQN), new Part(target, KeyMap.DQN_TARGET)));
  }

  /// Returns a copy of the weights under all their keys, in Qlib's order; all keys of a parameter
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

  /// Excludes weights from training. Must be called before an algorithm is made.
  ///
  /// @param where the name of the setting in errors
  /// @param beginnings of the names of weights
  /// @throws ConfigException if nothing begins so, or everything
  public void freeze(String where, List<String> beginnings) {
    List<Parameter> all =
        parts.stream().flatMap(part -> part.weights().parameters().stream()).toList();
    for (String beginning : beginnings) {
      List<Parameter> frozen =
          all.stream().filter(each -> each.name().startsWith(beginning)).toList();
      if (frozen.isEmpty() || frozen.size() == all.size()) {
        throw new ConfigException(
            where,
            "the beginning of the names of some weights, of "
                + all.stream().map(Parameter::name).toList(),
            beginning);
      }
      frozen.forEach(Parameter::exclude);
    }
  }

  /// Loads all weights, or none, from a file in any format that [WeightFiles] reads.
  ///
  /// @throws CheckpointException if the file cannot be read or belongs to another model; names
  ///   every tensor that is missing, unexpected, of another shape, not finite, or different from
  ///   its duplicate
  public void load(Path file) {
    load(file.toString(), WeightFiles.read(file));
  }

  /// Loads all weights, or none, from `dict`.
  ///
  /// @param where the name of the dict in error messages
  /// @throws CheckpointException as for [#load(Path)]
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

  /// Removes a parameter and its duplicates from `left` and adds their errors to `problems`.
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
