package io.tranche.conformance.golden;

import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Spaces, and values with their types and shapes, as golden files write them.
public final class GoldenSpace {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private GoldenSpace() {}

  public static ObjectNode json(Space space) {
    return switch (space) {
      case Space.Dict(var spaces) -> {
        ObjectNode node = JSON.objectNode().put("type", "Dict");
        ArrayNode keys = node.putArray("keys_sorted");
        spaces.keySet().forEach(keys::add);
        ObjectNode parts = node.putObject("spaces");
        spaces.forEach((key, part) -> parts.set(key, json(part)));
        yield node;
      }
      case Space.Discrete(int count) ->
          JSON.objectNode().put("type", "Discrete").put("n", count).put("start", 0);
      case Space.Box(var type, var shape, double low, double high) -> {
        ObjectNode node = JSON.objectNode().put("type", "Box").put("dtype", name(type));
        node.set("shape", shape(shape));
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
    node.set("shape", shape(shape));
    node.set("value", GoldenValue.nested(shape, 0, at));
    return node;
  }

  private static String name(ElementType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  private static ArrayNode shape(List<Integer> shape) {
    ArrayNode node = JSON.arrayNode();
    shape.forEach(node::add);
    return node;
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
