package io.tranche.conformance.golden;

import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Values and spaces of the environments, as golden files write them.
public final class GoldenValue {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final JsonMapper MAPPER = new JsonMapper();

  private GoldenValue() {}

  public static JsonNode json(Value value) {
    return switch (value) {
      case Value.Dict(var entries) -> {
        var object = JSON.objectNode();
        entries.forEach((key, item) -> object.set(key, json(item)));
        yield object;
      }
      case Value.Tuple(var items) -> {
        var array = JSON.arrayNode();
        items.forEach(item -> array.add(json(item)));
        yield array;
      }
      case Value.Floats array -> nested(array.shape(), 0, i -> JSON.numberNode(array.at(i)));
      case Value.Integers array -> nested(array.shape(), 0, i -> JSON.numberNode(array.at(i)));
      case Value.Plain(var leaf) -> json(leaf);
    };
  }

  /// Returns texts, numbers, arrays, collections and maps as Jackson writes them.
  public static JsonNode tree(@Nullable Object value) {
    return MAPPER.valueToTree(value);
  }

  private static JsonNode json(@Nullable Object leaf) {
    return switch (leaf) {
      case null -> JSON.nullNode();
      case Boolean truth -> JSON.booleanNode(truth);
      case Long number -> JSON.numberNode(number.longValue());
      case Double number -> JSON.numberNode(number.doubleValue());
      default -> JSON.stringNode(leaf.toString());
    };
  }

  /// Returns all elements, as lists of lists as deep as the shape is long.
  private static JsonNode nested(List<Integer> shape, int first, IntFunction<JsonNode> at) {
    if (shape.isEmpty()) {
      return at.apply(first);
    }
    ArrayNode array = JSON.arrayNode();
    List<Integer> rest = shape.subList(1, shape.size());
    int width = rest.stream().reduce(1, Math::multiplyExact);
    for (int i = 0; i < shape.getFirst(); i++) {
      array.add(nested(rest, first + i * width, at));
    }
    return array;
  }

  public static ObjectNode json(Space space) {
    return switch (space) {
      case Space.Dict(var spaces) -> {
        ObjectNode node = JSON.objectNode().put("type", "Dict");
        node.set("keys_sorted", tree(spaces.keySet()));
        ObjectNode parts = node.putObject("spaces");
        spaces.forEach((key, part) -> parts.set(key, json(part)));
        yield node;
      }
      case Space.Discrete(int count) ->
          JSON.objectNode().put("type", "Discrete").put("n", count).put("start", 0);
      case Space.Box(var type, var shape, double low, double high) -> {
        ObjectNode node = JSON.objectNode().put("type", "Box").put("dtype", name(type));
        node.set("shape", tree(shape));
        node.set("low", number(type, low));
        node.set("high", number(type, high));
        yield node;
      }
      case Space.Tuple _, Space.MultiBinary _, Space.MultiDiscrete _ ->
          throw new IllegalArgumentException("space must be one of golden files, was " + space);
    };
  }

  /// Returns `{dtype, shape, value}`.
  public static ObjectNode leaf(Value value) {
    return switch (value) {
      case Value.Floats array ->
          leaf(name(array.type()), array.shape(), i -> number(array.type(), array.at(i)));
      case Value.Integers array ->
          leaf(name(array.type()), array.shape(), i -> JSON.numberNode(array.at(i)));
      case Value.Plain(Boolean truth) -> leaf("bool", List.of(), _ -> JSON.booleanNode(truth));
      case Value.Plain(Long number) ->
          leaf("int", List.of(), _ -> JSON.numberNode(number.longValue()));
      case Value.Plain(Double number) ->
          leaf("float", List.of(), _ -> JSON.numberNode(number.doubleValue()));
      case Value.Plain _, Value.Dict _, Value.Tuple _ ->
          throw new IllegalArgumentException("value must be a number or an array, was " + value);
    };
  }

  private static ObjectNode leaf(String type, List<Integer> shape, IntFunction<JsonNode> at) {
    ObjectNode node = JSON.objectNode().put("dtype", type);
    node.set("shape", tree(shape));
    node.set("value", nested(shape, 0, at));
    return node;
  }

  private static String name(ElementType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  private static JsonNode number(ElementType type, double number) {
    return switch (type) {
      // The file has the shortest decimal of the float32, which is no exact double.
      case FLOAT32 -> JSON.numberNode(Double.parseDouble(Float.toString((float) number)));
      case FLOAT64 -> JSON.numberNode(number);
      case INT8, UINT8, INT32, INT64, BOOL -> JSON.numberNode((long) number);
    };
  }
}
