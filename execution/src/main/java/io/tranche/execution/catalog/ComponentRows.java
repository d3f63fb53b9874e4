package io.tranche.execution.catalog;

import io.tranche.config.Component;
import io.tranche.config.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The rows of a catalog. A row ends with the keys of its settings, separated by blanks; other keys
/// are refused.
///
/// @param <T> the kind of component
final class ComponentRows<T> {

  private final Class<T> kind;
  private final List<Component<T>> rows = new ArrayList<>();

  ComponentRows(Class<T> kind) {
    this.kind = kind;
  }

  /// Adds a native name.
  ComponentRows<T> own(
      String name, String summary, Function<ConfigNode, ? extends T> maker, String keys) {
    return qlib(List.of(), name, summary, maker, keys);
  }

  /// Adds one of Qlib's names.
  ///
  /// @param modules the Python modules that a configuration may name with it
  ComponentRows<T> qlib(
      List<String> modules,
      String name,
      String summary,
      Function<ConfigNode, ? extends T> maker,
      String keys) {
    List<String> known = keys.isEmpty() ? List.of() : List.of(keys.split(" "));
    rows.add(
        new Component<>(
            kind,
            name,
            modules,
            summary,
            settings -> {
              settings.rejectUnknown(known);
              return maker.apply(settings);
            }));
    return this;
  }

  List<Component<T>> all() {
    return List.copyOf(rows);
  }
}
