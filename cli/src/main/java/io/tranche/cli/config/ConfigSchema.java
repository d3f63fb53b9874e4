package io.tranche.cli.config;

import io.tranche.run.ComponentTable;
import io.tranche.run.ComponentTable.Row;
import io.tranche.run.ComponentTable.Setting;
import io.tranche.run.ConfigKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The JSON schema of our own dialect, made from the tables of keys, components and settings.
final class ConfigSchema {

  private static final List<String> TYPES =
      List.of("integer", "number", "boolean", "string", "null");

  private ConfigSchema() {}

  /// @param rows every component that may be named
  static Map<String, Object> of(List<Row> rows) {
    Map<String, Object> root = mapping("A training run of Tranche, in its own dialect.");
    root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    root.put("title", "Tranche");
    root.put("required", List.of("tranche"));
    Map<String, Object> top = properties(root);
    top.put("tranche", Map.of("const", 1, "description", "Marks our own dialect."));
    top.put("_base_", Map.of("type", List.of("string", "array")));
    for (ConfigKey key : ConfigKey.all()) {
      Map<String, Object> at = top;
      String[] parts = key.path().split("\\.", -1);
      for (int i = 0; i < parts.length - 1; i++) {
        at = properties(child(at, parts[i]));
      }
      Map<String, Object> schema = child(at, parts[parts.length - 1]);
      schema.clear();
      schema.put("description", key.text());
      schema.putAll(value(key, rows));
    }
    // A folder, or a mapping with keys of its own.
    child(properties(child(top, "data")), "orders").put("additionalProperties", false);
    return root;
  }

  private static Map<String, Object> value(ConfigKey key, List<Row> rows) {
    var schema = new LinkedHashMap<String, Object>();
    if (key.type().contains("|")) {
      var words = new ArrayList<@Nullable Object>();
      for (String word : key.type().split("\\|| or ", -1)) {
        words.add(word.equals("null") ? null : word);
      }
      schema.put("enum", words);
      return schema;
    }
    var types = new ArrayList<String>();
    for (String word : key.type().split(", | or ", -1)) {
      switch (word) {
        case "list" -> types.add("array");
        case "mapping" -> types.add("object");
        case "component" -> {
          types.add("object");
          schema.putAll(component(key.path(), rows));
        }
        default -> {
          if (!TYPES.contains(word)) {
            throw new IllegalStateException(
                "key %s must have a known type, was %s".formatted(key.path(), word));
          }
          types.add(word);
        }
      }
    }
    schema.put("type", types.size() == 1 ? types.getFirst() : types);
    return schema;
  }

  private static Map<String, Object> component(String kind, List<Row> rows) {
    List<String> names =
        rows.stream().filter(row -> row.kind().equals(kind)).map(Row::name).distinct().toList();
    var properties = new LinkedHashMap<String, Object>();
    properties.put("class", Map.of("enum", names));
    properties.put("module_path", Map.of("type", "string"));
    properties.put("kwargs", Map.of("type", "object"));
    var byClass = new ArrayList<Object>();
    for (String name : names) {
      List<Setting> settings = ComponentTable.settings(name);
      if (!settings.isEmpty()) {
        byClass.add(
            Map.of(
                "if",
                Map.of(
                    "properties", Map.of("class", Map.of("const", name)),
                    "required", List.of("class")),
                "then",
                Map.of("properties", Map.of("kwargs", kwargs(settings)))));
      }
    }
    var schema = new LinkedHashMap<String, Object>();
    schema.put("properties", properties);
    schema.put("additionalProperties", false);
    schema.put("allOf", byClass);
    return schema;
  }

  private static Map<String, Object> kwargs(List<Setting> settings) {
    var keys = new LinkedHashMap<String, Object>();
    for (Setting setting : settings) {
      keys.put(
          setting.key(),
          Map.of(
              "description", "%s (default: %s)".formatted(setting.meaning(), setting.byDefault())));
    }
    return Map.of("type", "object", "properties", keys, "additionalProperties", false);
  }

  private static Map<String, Object> mapping(String description) {
    var schema = new LinkedHashMap<String, Object>();
    schema.put("description", description);
    schema.put("type", "object");
    schema.put("additionalProperties", false);
    return schema;
  }

  @SuppressWarnings("unchecked") // only this class fills the maps
  private static Map<String, Object> child(Map<String, Object> properties, String name) {
    return (Map<String, Object>)
        properties.computeIfAbsent(name, _ -> mapping("The section %s.".formatted(name)));
  }

  @SuppressWarnings("unchecked") // only this class fills the maps
  private static Map<String, Object> properties(Map<String, Object> schema) {
    return (Map<String, Object>)
        schema.computeIfAbsent("properties", _ -> new LinkedHashMap<String, Object>());
  }
}
