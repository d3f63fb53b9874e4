package io.tranche.policy.weights;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Compares state dicts bit for bit.
final class SameTensors {

  private SameTensors() {}

  static void assertSame(StateDict actual, StateDict expected) {
    assertThat(actual.tensors().keySet())
        .containsExactlyInAnyOrderElementsOf(expected.tensors().keySet());
    expected
        .tensors()
        .forEach(
            (name, tensor) ->
                assertThat(Samples.tensor(actual, name).sameAs(tensor)).as(name).isTrue());
    assertThat(groups(actual)).as("shared tensors").isEqualTo(groups(expected));
  }

  /// Returns for each name the names that share its tensor.
  private static Map<String, List<String>> groups(StateDict dict) {
    Map<String, List<String>> groups = new HashMap<>();
    dict.tensors()
        .forEach(
            (name, tensor) ->
                groups.put(
                    name,
                    dict.tensors().entrySet().stream()
                        .filter(other -> other.getValue() == tensor)
                        .map(Map.Entry::getKey)
                        .sorted()
                        .toList()));
    return groups;
  }
}
