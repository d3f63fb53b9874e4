package io.tranche.env.space;

import io.tranche.env.space.Value.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Gym's checks of arrays, and of values that numpy converts to arrays.
final class ArrayCheck {

  /// Whether a number is allowed at an index.
  @FunctionalInterface
  interface Rule {
    boolean allows(int index, double number);
  }

  /// Numbers in row-major order.
  ///
  /// @param type null if they are not an array, so that numpy converts them to the requested type
  private record Numbers(@Nullable ElementType type, List<Integer> shape, IntToDoubleFunction at) {

    int size() {
      return shape.stream().reduce(1, Math::multiplyExact);
    }
  }

  private static final Pattern NUMBER =
      Pattern.compile("\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*");

  private ArrayCheck() {}

  static void box(Space.Box box, Value value) {
    Numbers numbers = numbers(value);
    if (numbers.type != null && !numbers.type.fits(box.type())) {
      throw refused("", "must fit into %s, was %s".formatted(box.type(), describe(value)));
    }
    if (!numbers.shape.equals(box.shape())) {
      throw refused("", "must have shape %s, was %s".formatted(box.shape(), describe(value)));
    }
    for (int i = 0; i < numbers.size(); i++) {
      double number = numbers.at.applyAsDouble(i);
      if (!box.contains(number)) {
        throw refused(place(numbers.shape, i), box.rule(number));
      }
    }
  }

  /// Checks an array or list of `size` numbers of any type.
  static void elements(Value value, int size, Rule rule, IntFunction<String> must) {
    Numbers numbers = numbers(value);
    if (!numbers.shape.equals(List.of(size))) {
      throw refused("", "must be an array of %d, was %s".formatted(size, describe(value)));
    }
    for (int i = 0; i < size; i++) {
      double number = numbers.at.applyAsDouble(i);
      if (!rule.allows(i, number)) {
        throw refused("[" + i + "]", must.apply(i) + ", was " + number);
      }
    }
  }

  /// Returns the items of a tuple, a list or the first dimension of an array; null for anything
  /// else.
  static @Nullable List<Value> items(Value value) {
    return switch (value) {
      case Value.Tuple(var items) -> items;
      case Value.Floats array when !array.shape().isEmpty() ->
          IntStream.range(0, array.shape().getFirst()).mapToObj(array::row).toList();
      case Value.Integers array when !array.shape().isEmpty() ->
          IntStream.range(0, array.shape().getFirst()).mapToObj(array::row).toList();
      case Value.Floats _, Value.Integers _, Value.Plain _, Value.Dict _ -> null;
    };
  }

  /// Returns a short description of a value for error messages.
  static String describe(Value value) {
    return switch (value) {
      case Value.Plain(String text) -> "the text '" + text + "'";
      case Value.Plain(var leaf) -> String.valueOf(leaf);
      case Value.Dict(var entries) -> "a dict of " + entries.keySet();
      case Value.Tuple(var items) -> "a tuple of " + items.size();
      case Value.Floats array when array.shape().isEmpty() -> array.type() + " " + array.at(0);
      case Value.Integers array when array.shape().isEmpty() -> array.type() + " " + array.at(0);
      case Value.Floats array -> "an array of " + array.type() + " of shape " + array.shape();
      case Value.Integers array -> "an array of " + array.type() + " of shape " + array.shape();
    };
  }

  private static Numbers numbers(Value value) {
    return switch (value) {
      case Value.Floats array -> new Numbers(array.type(), array.shape(), array::at);
      case Value.Integers array -> new Numbers(array.type(), array.shape(), array::at);
      case Value.Plain(Double number) -> scalar(number);
      case Value.Plain(Long number) -> scalar(number);
      case Value.Plain(Boolean truth) -> scalar(truth ? 1 : 0);
      // numpy also converts texts that look like numbers.
      case Value.Plain(String text) when NUMBER.matcher(text).matches() ->
          scalar(Double.parseDouble(text));
      case Value.Plain _, Value.Dict _ ->
          throw refused("", "must be made of numbers, was " + describe(value));
      case Value.Tuple(var items) -> stacked(items);
    };
  }

  private static Numbers scalar(double number) {
    return new Numbers(null, List.of(), _ -> number);
  }

  private static Numbers stacked(List<Value> items) {
    List<Numbers> rows = items.stream().map(ArrayCheck::numbers).toList();
    if (rows.isEmpty()) {
      return new Numbers(null, List.of(0), _ -> Double.NaN);
    }
    Numbers first = rows.getFirst();
    if (rows.stream().anyMatch(row -> !row.shape.equals(first.shape))) {
      throw refused(
          "", "must have items of one shape, was " + rows.stream().map(Numbers::shape).toList());
    }
    var shape = new ArrayList<>(List.of(rows.size()));
    shape.addAll(first.shape);
    int width = first.size();
    return new Numbers(null, shape, i -> rows.get(i / width).at.applyAsDouble(i % width));
  }

  private static SpaceException refused(String place, String rule) {
    return new SpaceException(Space.REFUSED, place, rule);
  }

  /// Returns the indices of element `index`, such as `[2][0]`.
  private static String place(List<Integer> shape, int index) {
    var place = new StringBuilder();
    int rest = index;
    for (int extent : shape.reversed()) {
      place.insert(0, "[" + rest % extent + "]");
      rest /= extent;
    }
    return place.toString();
  }
}
