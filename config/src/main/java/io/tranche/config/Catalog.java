package io.tranche.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All components of one kind that a configuration may name: the only way from a name in YAML to an
/// object. Other names do not exist.
///
/// @param <T> the kind
public final class Catalog<T> {

  private final Class<T> kind;
  private final Map<String, Component<T>> components;

  private Catalog(Class<T> kind, Map<String, Component<T>> components) {
    this.kind = kind;
    this.components = components;
  }

  /// Makes a catalog of the built-in components.
  ///
  /// @throws IllegalArgumentException if two have the same name
  public static <T> Catalog<T> of(Class<T> kind, List<Component<T>> components) {
    var table = new LinkedHashMap<String, Component<T>>();
    for (Component<T> component : components) {
      if (table.put(component.name(), component) != null) {
        throw new IllegalArgumentException("names must differ, was twice " + component.name());
      }
    }
    return new Catalog<>(kind, table);
  }

  /// Returns this catalog with the components of the providers on the class path.
  public Catalog<T> withInstalled() {
    return with(Installed.components());
  }

  /// Returns this catalog with the components of `providers`.
  ///
  /// @throws ConfigException if one adds a name that already exists
  public Catalog<T> with(Collection<? extends ComponentProvider> providers) {
    var table = new LinkedHashMap<>(components);
    for (ComponentProvider provider : providers) {
      for (Component<?> component : components(provider)) {
        if (component.kind() == kind
            && table.putIfAbsent(component.name(), own(component)) != null) {
          throw new ConfigException(
              provider.getClass().getName(),
              "names that are not yet in the catalog of " + kind.getSimpleName(),
              component.name());
        }
      }
    }
    return new Catalog<>(kind, table);
  }

  private static List<Component<?>> components(ComponentProvider provider) {
    try {
      return provider.components();
    } catch (LinkageError e) {
      throw Installed.anotherVersion(provider.getClass().getName(), e);
    } catch (ConfigException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new ConfigException(
          provider.getClass().getName(),
          "a plug-in that lists its components",
          "one that fails: " + e);
    }
  }

  /// Restores the type of a component of this kind.
  private Component<T> own(Component<?> component) {
    return new Component<>(
        kind,
        component.name(),
        component.modulePaths(),
        component.summary(),
        kwargs -> kind.cast(component.maker().apply(kwargs)));
  }

  /// Makes the component that `spec` names.
  ///
  /// @throws ConfigException if the name is unknown, or known from another module
  public T make(ComponentSpec spec) {
    try {
      return find(spec).maker().apply(spec.kwargs());
    } catch (LinkageError e) {
      throw Installed.anotherVersion(spec.at().where(), e);
    }
  }

  /// Returns `object` as a component of this kind.
  ///
  /// @throws ConfigException if it is not
  public T cast(Object object) {
    if (kind.isInstance(object)) {
      return kind.cast(object);
    }
    throw new ConfigException(
        "run", "a " + kind.getSimpleName(), "an object of " + object.getClass().getName());
  }

  /// Returns the entry that `spec` names.
  ///
  /// @throws ConfigException if the name is unknown, or known from another module
  public Component<T> find(ComponentSpec spec) {
    Component<T> component = components.get(spec.name());
    if (component == null) {
      throw new ConfigException(
          spec.at().required("class").where(), names(spec.name()), Tree.quote(spec.name()));
    }
    String modulePath = spec.modulePath();
    if (modulePath != null && !component.modulePaths().contains(modulePath)) {
      throw new ConfigException(
          spec.at().where(),
          component.modulePaths().isEmpty()
              ? "no module for " + spec.name()
              : spec.name() + " from a module out of " + component.modulePaths(),
          Tree.quote(modulePath));
    }
    return component;
  }

  /// A name that is far from all others may be that of a plug-in.
  private String names(String written) {
    String known = NearestName.choices("a name", written, components.keySet());
    return NearestName.of(written, components.keySet()) == null
        ? known + ", or one of a plug-in that is loaded with --plugins"
        : known;
  }

  public List<Component<T>> components() {
    return List.copyOf(components.values());
  }
}
