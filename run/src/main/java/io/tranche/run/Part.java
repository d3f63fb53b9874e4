package io.tranche.run;

import io.tranche.config.Catalog;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An exchangeable part of a run, such as its reward.
///
/// A part with a name can be written into a configuration, so other processes can make the same
/// part. An object from Java works in this process only.
///
/// @param <T> what the part is
public sealed interface Part<T> {

  /// A part by its name in a catalog.
  record Named<T>(ComponentSpec spec) implements Part<T> {}

  /// An object from Java.
  record Given<T>(T object) implements Part<T> {

    private static final String KEY = "object";
  }

  /// Returns the part that `node` names.
  ///
  /// @throws ConfigException if the node is no `{class, kwargs}`, or describes an object from Java
  static <T> Part<T> from(ConfigNode node) {
    if (isObject(node)) {
      throw new ConfigException(
          node.where(),
          "a part with a name, which any process can make",
          "the object %s, which the run was given in Java"
              .formatted(node.required(Given.KEY).asText()));
    }
    return new Named<>(ComponentSpec.from(node));
  }

  /// Returns the part with the given name and settings, which are written in the order of their
  /// keys: `Map.of` has another order in every process.
  static <T> Part<T> named(String name, Map<String, ?> settings) {
    return from(
        ConfigFiles.of("the defaults", Map.of("class", name))
            .with("kwargs", ConfigFiles.of("the defaults", new TreeMap<>(settings))));
  }

  static <T> Part<T> of(T object) {
    return new Given<>(object);
  }

  /// Returns the part that `described` names, or the object if that is null.
  static <T> Part<T> of(T object, @Nullable ConfigNode described) {
    return described == null ? new Given<>(object) : new Named<>(ComponentSpec.from(described));
  }

  /// Whether `node` describes an object from Java.
  static boolean isObject(ConfigNode node) {
    return node.isMapping() && node.has(Given.KEY);
  }

  /// Returns the part itself.
  ///
  /// @throws ConfigException if `catalog` does not have the name, or the settings are wrong
  default T make(Catalog<T> catalog) {
    return makeAny(catalog);
  }

  /// As [#make], where the catalog knows the type better than the run does.
  default <U> U makeAny(Catalog<U> catalog) {
    return switch (this) {
      case Named<T>(var spec) -> catalog.withInstalled().make(spec);
      case Given<T>(var object) -> catalog.cast(object);
    };
  }

  /// Returns the part as configurations have it.
  default ConfigNode describe() {
    return switch (this) {
      case Named<T>(var spec) -> spec.at();
      case Given<T>(var object) ->
          ConfigFiles.of("run", Map.of(Given.KEY, object.getClass().getName()));
    };
  }

  /// Returns where the part was written, for error messages.
  default String where() {
    return describe().where();
  }
}
