package io.tranche.conformance.golden;

import io.tranche.env.space.Value;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Values of the environments, as golden files write them.
public final class GoldenValue {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

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

  public static ArrayNode json(int[] numbers) {
    ArrayNode array = JSON.arrayNode();
    for (int number : numbers) {
      array.add(number);
    }
    return array;
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
  static JsonNode nested(List<Integer> shape, int first, IntFunction<JsonNode> at) {
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
}
