package io.tranche.config;

import java.util.List;
import java.util.function.Function;

/// An entry of a [Catalog]: a name that configurations may use, and how to make the component.
///
/// @param kind the type of the component, which selects its catalog
/// @param modulePaths the modules that a configuration may name with it; empty for a native name
/// @param summary one line for the printed table
/// @param maker makes the component from its settings
/// @param <T> the kind
public record Component<T>(
    Class<T> kind,
    String name,
    List<String> modulePaths,
    String summary,
    Function<ConfigNode, ? extends T> maker) {

  public Component {
    modulePaths = List.copyOf(modulePaths);
    if (name.isEmpty() || name.contains(".")) {
      throw new IllegalArgumentException("name must be one word without dots, was '" + name + "'");
    }
  }

  /// A native name.
  public static <T> Component<T> of(
      Class<T> kind, String name, String summary, Function<ConfigNode, ? extends T> maker) {
    return new Component<>(kind, name, List.of(), summary, maker);
  }
}
