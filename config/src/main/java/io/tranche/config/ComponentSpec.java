package io.tranche.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A component as a configuration names it: `{class, module_path, kwargs}`.
///
/// @param name the class without its module
/// @param modulePath the module, from a dotted `class` or else from `module_path`
/// @param kwargs its own settings; an empty mapping where there are none
/// @param at the node this was read from
public record ComponentSpec(
    String name, @Nullable String modulePath, ConfigNode kwargs, ConfigNode at) {

  public static final List<String> KEYS = List.of("class", "module_path", "kwargs");

  /// Reads a component. The caller rejects or reports keys other than [#KEYS].
  public static ComponentSpec from(ConfigNode node) {
    String name = node.required("class").asText();
    int dot = name.lastIndexOf('.');
    if (dot == 0 || dot == name.length() - 1) {
      throw node.required("class").wrong("a name such as PPO or package.module.PPO");
    }
    ConfigNode module = node.written("module_path");
    String modulePath = null;
    if (dot > 0) {
      modulePath = name.substring(0, dot);
    } else if (module != null && !module.isNull()) {
      modulePath = module.asText();
    }
    return new ComponentSpec(name.substring(dot + 1), modulePath, kwargs(node), node);
  }

  private static ConfigNode kwargs(ConfigNode node) {
    ConfigNode kwargs = node.written("kwargs");
    if (kwargs == null || kwargs.isNull()) {
      var none = new Tree.Mapping(Map.of(), node.tree().origin());
      return new ConfigNode(none, Tree.join(node.path(), "kwargs"));
    }
    if (!kwargs.isMapping()) {
      throw kwargs.wrong("a mapping");
    }
    return kwargs;
  }
}
