package io.tranche.serving;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Checks JSON against the schemas of an OpenAPI document. Refuses keywords it does not know, so
/// that none is silently ignored.
public final class Schema {

  /// The keywords that a schema may have.
  public static final Set<String> KEYWORDS =
      Set.of(
          "$ref",
          "type",
          "required",
          "properties",
          "additionalProperties",
          "items",
          "enum",
          "minimum",
          "maximum",
          "exclusiveMinimum",
          "minLength",
          "maxLength",
          "minItems",
          "maxItems",
          "oneOf",
          "format",
          "description");

  private final Map<?, ?> document;
  private final List<String> complaints = new ArrayList<>();

  public Schema(Map<?, ?> document) {
    this.document = document;
  }

  /// Returns the schema that a reference points to.
  public Object resolve(String reference) {
    Object at = document;
    for (String name : reference.substring(2).split("/", -1)) {
      at = JsonTree.map(at).get(name);
    }
    return JsonTree.map(at);
  }

  /// Returns what is wrong with a value; an empty list if it matches the schema.
  public List<String> complaints(@Nullable Object schema, @Nullable Object value) {
    complaints.clear();
    check("", JsonTree.map(schema), value);
    return List.copyOf(complaints);
  }

  private void check(String where, Map<?, ?> schema, @Nullable Object value) {
    require(KEYWORDS.containsAll(schema.keySet()), where, "a keyword is not known", schema);
    if (schema.get("$ref") instanceof String reference) {
      check(where, JsonTree.map(resolve(reference)), value);
      return;
    }
    if (schema.get("oneOf") instanceof List<?> choices) {
      long fitting =
          choices.stream()
              .filter(each -> new Schema(document).complaints(each, value).isEmpty())
              .count();
      require(fitting == 1, where, fitting + " of the choices fit", value);
      return;
    }
    checkType(where, schema, value);
    if (schema.get("enum") instanceof List<?> words) {
      require(words.contains(value), where, "none of " + words, value);
    }
    switch (value) {
      case Map<?, ?> object -> checkObject(where, schema, object);
      case List<?> list -> {
        require(list.size() <= limit(schema, "maxItems"), where, "too many", list.size());
        require(!(list.size() < least(schema, "minItems")), where, "too few", list.size());
        for (int i = 0; i < list.size() && schema.get("items") != null; i++) {
          check(where + "[" + i + "]", JsonTree.map(schema.get("items")), list.get(i));
        }
      }
      case String text -> {
        require(text.length() <= limit(schema, "maxLength"), where, "too long", text);
        require(!(text.length() < least(schema, "minLength")), where, "too short", text);
      }
      case Double number -> {
        require(number <= limit(schema, "maximum"), where, "too large", number);
        require(!(number < least(schema, "minimum")), where, "too small", number);
        require(!(number <= least(schema, "exclusiveMinimum")), where, "too small", number);
      }
      case null, default -> {}
    }
  }

  private void checkObject(String where, Map<?, ?> schema, Map<?, ?> object) {
    if (schema.get("required") instanceof List<?> names) {
      names.forEach(name -> require(object.containsKey(name), where, "misses " + name, object));
    }
    Map<?, ?> properties =
        schema.containsKey("properties") ? JsonTree.map(schema.get("properties")) : Map.of();
    object.forEach(
        (name, item) -> {
          if (properties.containsKey(name)) {
            check(where + "." + name, JsonTree.map(properties.get(name)), item);
          } else {
            require(
                !Boolean.FALSE.equals(schema.get("additionalProperties")),
                where,
                "has too much",
                name);
          }
        });
  }

  private void checkType(String where, Map<?, ?> schema, @Nullable Object value) {
    Object type = schema.get("type");
    if (type != null) {
      List<?> allowed = type instanceof List<?> several ? several : List.of(type);
      require(
          allowed.stream().anyMatch(each -> isOf(String.valueOf(each), value)),
          where,
          "must be of " + allowed,
          value);
    }
  }

  private static boolean isOf(String type, @Nullable Object value) {
    return switch (type) {
      case "object" -> value instanceof Map;
      case "array" -> value instanceof List;
      case "string" -> value instanceof String;
      case "boolean" -> value instanceof Boolean;
      case "number" -> value instanceof Double;
      case "integer" -> value instanceof Double number && number == Math.rint(number);
      case "null" -> value == null;
      default -> false;
    };
  }

  private static double limit(Map<?, ?> schema, String keyword) {
    return schema.get(keyword) instanceof Double number ? number : Double.POSITIVE_INFINITY;
  }

  private static double least(Map<?, ?> schema, String keyword) {
    return schema.get(keyword) instanceof Double number ? number : Double.NaN;
  }

  private void require(boolean isSo, String where, String what, @Nullable Object value) {
    if (!isSo) {
      complaints.add("%s: %s, was %s".formatted(where, what, value));
    }
  }
}
