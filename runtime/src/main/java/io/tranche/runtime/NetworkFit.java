package io.tranche.runtime;

import io.tranche.config.ConfigException;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Checks that weights fit the network of their model.
///
/// The sizes of the network come from a file. The network must not become larger than the weights
/// beside it, so a wrong size cannot make it allocate more memory than the file accounts for.
final class NetworkFit {

  private NetworkFit() {}

  /// @param where the name of the weights in errors
  /// @throws CheckpointException naming every tensor of the network that is missing or has another
  ///   shape, and every tensor that is not finite
  static void require(String where, ModelSpec spec, StateDict member) {
    var problems = new ArrayList<String>();
    for (Parameter parameter : network(where, spec, size(where, member)).parameters()) {
      Tensor tensor = find(member, parameter.name());
      if (tensor == null) {
        problems.add("missing %s %s".formatted(parameter.name(), parameter.shape()));
      } else if (!tensor.shape().equals(parameter.shape())) {
        problems.add(
            "%s of shape %s instead of %s"
                .formatted(parameter.name(), tensor.shape(), parameter.shape()));
      }
    }
    member
        .tensors()
        .forEach(
            (name, tensor) -> {
              if (!tensor.isFinite()) {
                problems.add(name + " not finite");
              }
            });
    if (!problems.isEmpty()) {
      throw new CheckpointException(
          where, "the weights of this model", "a file with " + String.join("; ", problems));
    }
  }

  private static int size(String where, StateDict member) {
    long size = 0;
    for (Tensor tensor : member.tensors().values()) {
      size += tensor.size();
    }
    if (size > Integer.MAX_VALUE - 8) {
      throw new CheckpointException(where, "numbers that fit one array", size);
    }
    return (int) size;
  }

  private static Weights network(String where, ModelSpec spec, int most) {
    var weights = Weights.upTo(most);
    try {
      var _ =
          PolicyCatalog.network(spec.network(), spec.features().columns().today().size())
              .create(weights, "");
      return weights;
    } catch (ConfigException e) {
      throw CheckpointException.of(e);
    } catch (IllegalArgumentException e) {
      throw new CheckpointException(where, "the weights of this model", e.getMessage(), e);
    }
  }

  /// Algorithms put a prefix before the names of their networks.
  private static @Nullable Tensor find(StateDict member, String name) {
    for (var each : member.tensors().entrySet()) {
      if (each.getKey().endsWith("." + name)) {
        return each.getValue();
      }
    }
    return null;
  }
}
