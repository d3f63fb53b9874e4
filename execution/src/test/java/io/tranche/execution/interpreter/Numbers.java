package io.tranche.execution.interpreter;

import io.tranche.env.space.Value;
import java.util.ArrayList;
import java.util.List;

/// The numbers of a value, in order.
public final class Numbers {

  private Numbers() {}

  public static List<Double> of(Value value) {
    var numbers = new ArrayList<Double>();
    add(value, numbers);
    return numbers;
  }

  static List<Double> of(Value value, String key) {
    return value instanceof Value.Dict(var entries) && entries.get(key) != null
        ? of(entries.get(key))
        : List.of();
  }

  private static void add(Value value, List<Double> numbers) {
    switch (value) {
      case Value.Dict(var entries) -> entries.values().forEach(item -> add(item, numbers));
      case Value.Tuple(var items) -> items.forEach(item -> add(item, numbers));
      case Value.Floats array -> {
        for (int i = 0; i < array.size(); i++) {
          numbers.add(array.at(i));
        }
      }
      case Value.Integers array -> {
        for (int i = 0; i < array.size(); i++) {
          numbers.add((double) array.at(i));
        }
      }
      case Value.Plain(Number number) -> numbers.add(number.doubleValue());
      case Value.Plain(var other) -> numbers.add(Boolean.TRUE.equals(other) ? 1.0 : 0.0);
    }
  }
}
