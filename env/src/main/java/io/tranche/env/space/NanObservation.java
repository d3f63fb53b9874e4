package io.tranche.env.space;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The observation that means "no initial state is left" in Qlib: NaN for every real number, the
/// largest value of its type for every whole number. Qlib: `generate_nan_observation`,
/// `check_nan_observation`.
public final class NanObservation {

  private NanObservation() {}

  /// Returns the NaN observation of a space.
  ///
  /// @throws IllegalArgumentException if the space contains booleans, which have no such value
  public static Value of(Space space) {
    return switch (space) {
      case Space.Box box -> filled(box.type(), box.shape());
      case Space.Discrete _ -> filled(Value.ElementType.INT64, List.of());
      case Space.MultiBinary(int size) -> filled(Value.ElementType.INT8, List.of(size));
      case Space.MultiDiscrete(var counts) ->
          filled(Value.ElementType.INT64, List.of(counts.size()));
      case Space.Dict(var spaces) -> {
        var entries = new LinkedHashMap<String, Value>();
        spaces.forEach((key, part) -> entries.put(key, of(part)));
        yield new Value.Dict(entries);
      }
      case Space.Tuple(var spaces) ->
          new Value.Tuple(spaces.stream().map(NanObservation::of).toList());
    };
  }

  /// Returns a value of the same shape in which every leaf is invalid. Qlib: `fill_invalid`.
  ///
  /// @throws IllegalArgumentException if a leaf is a boolean, a text or null
  public static Value like(Value value) {
    return switch (value) {
      case Value.Floats floats -> filled(floats.type(), floats.shape());
      case Value.Integers integers -> filled(integers.type(), integers.shape());
      case Value.Plain(Double _) -> filled(Value.ElementType.FLOAT64, List.of());
      case Value.Plain(Long _) -> filled(Value.ElementType.INT64, List.of());
      case Value.Plain(var other) ->
          throw new IllegalArgumentException("leaves must be numbers, was " + other);
      case Value.Dict(var entries) -> {
        Map<String, Value> filled = new LinkedHashMap<>();
        entries.forEach((key, part) -> filled.put(key, like(part)));
        yield new Value.Dict(filled);
      }
      case Value.Tuple(var items) ->
          new Value.Tuple(items.stream().map(NanObservation::like).toList());
    };
  }

  /// Whether every leaf of a value is invalid. Empty containers, texts and null count as invalid.
  ///
  /// @throws IllegalArgumentException if a leaf is a boolean
  public static boolean matches(Value value) {
    return switch (value) {
      case Value.Floats floats ->
          IntStream.range(0, floats.size()).allMatch(i -> Double.isNaN(floats.at(i)));
      case Value.Integers integers -> {
        long largest = largest(integers.type());
        yield IntStream.range(0, integers.size()).allMatch(i -> integers.at(i) == largest);
      }
      case Value.Plain(var leaf) -> matches(leaf);
      case Value.Dict(var entries) -> entries.values().stream().allMatch(NanObservation::matches);
      case Value.Tuple(var items) -> items.stream().allMatch(NanObservation::matches);
    };
  }

  private static boolean matches(@Nullable Object leaf) {
    return switch (leaf) {
      case Double number -> number.isNaN();
      case Long number -> number == Long.MAX_VALUE;
      case Boolean _ -> largest(Value.ElementType.BOOL) == 0;
      case null, default -> true;
    };
  }

  private static Value filled(Value.ElementType type, List<Integer> shape) {
    int size = shape.stream().reduce(1, Math::multiplyExact);
    if (type.isFloating()) {
      var data = new double[size];
      Arrays.fill(data, Double.NaN);
      return new Value.Floats(type, shape, data);
    }
    var data = new long[size];
    Arrays.fill(data, largest(type));
    return new Value.Integers(type, shape, data);
  }

  private static long largest(Value.ElementType type) {
    return switch (type) {
      case INT8 -> Byte.MAX_VALUE;
      case UINT8 -> 255;
      case INT32 -> Integer.MAX_VALUE;
      case INT64 -> Long.MAX_VALUE;
      case BOOL, FLOAT32, FLOAT64 ->
          throw new IllegalArgumentException("type must be an integer type, was " + type);
    };
  }
}
