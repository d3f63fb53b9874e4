package io.tranche.policy.network;

import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import io.tranche.market.DataException;
import java.util.List;

/// The numbers of an observation in the order of its space: of an array its elements, of a choice
/// out of `n` as many numbers, one of which is 1.
final class SpaceNumbers {

  private static final String WHERE = "an observation for this network";

  private final float[] data;
  private final int end;
  private int at;

  private SpaceNumbers(float[] data, int from, int size) {
    this.data = data;
    this.at = from;
    this.end = from + size;
  }

  static int size(Space space) {
    return switch (space) {
      case Space.Box box -> box.shape().stream().reduce(1, Math::multiplyExact);
      case Space.Discrete(int count) -> count;
      case Space.MultiBinary(int size) -> size;
      case Space.MultiDiscrete(List<Integer> counts) -> counts.stream().reduce(0, Math::addExact);
      case Space.Dict(var spaces) ->
          spaces.values().stream().map(SpaceNumbers::size).reduce(0, Math::addExact);
      case Space.Tuple(var spaces) ->
          spaces.stream().map(SpaceNumbers::size).reduce(0, Math::addExact);
    };
  }

  /// Writes the numbers of `value` to `data`, from `from` on.
  ///
  /// @throws DataException if they are not as many as `space` has, or one is not finite
  static void write(Space space, Value value, float[] data, int from) {
    int size = size(space);
    var numbers = new SpaceNumbers(data, from, size);
    numbers.put(space, value);
    if (numbers.at != numbers.end) {
      throw new DataException(WHERE, size + " numbers", numbers.at - from);
    }
  }

  private void put(Space space, Value value) {
    switch (space) {
      case Space.Dict(var spaces) when value instanceof Value.Dict(var entries) ->
          spaces.forEach((key, each) -> put(each, entries.getOrDefault(key, value)));
      case Space.Tuple(var spaces) when value instanceof Value.Tuple(var items) -> {
        for (int i = 0; i < Math.min(spaces.size(), items.size()); i++) {
          put(spaces.get(i), items.get(i));
        }
      }
      case Space.Discrete(int count) -> choose(value, count);
      case Space.MultiDiscrete(List<Integer> counts) when value instanceof Value.Integers array -> {
        for (int i = 0; i < Math.min(counts.size(), array.size()); i++) {
          choose(new Value.Plain(array.at(i)), counts.get(i));
        }
      }
      default -> putAll(value);
    }
  }

  private void choose(Value value, int count) {
    int chosen = at;
    putAll(value);
    float index = data[chosen];
    at = chosen;
    for (int i = 0; i < count; i++) {
      put(i == index ? 1 : 0);
    }
  }

  private void putAll(Value value) {
    switch (value) {
      case Value.Floats array -> {
        for (int i = 0; i < array.size(); i++) {
          put(array.at(i));
        }
      }
      case Value.Integers array -> {
        for (int i = 0; i < array.size(); i++) {
          put(array.at(i));
        }
      }
      case Value.Tuple(var items) -> items.forEach(this::putAll);
      case Value.Plain(Number number) -> put(number.doubleValue());
      case Value.Plain(Boolean truth) -> put(truth ? 1 : 0);
      case Value.Plain _, Value.Dict _ -> throw new DataException(WHERE, "numbers", value);
    }
  }

  private void put(double number) {
    if (at == end) {
      throw new DataException(WHERE, "no more numbers than its space has", number);
    }
    if (!Float.isFinite((float) number)) {
      throw new DataException(WHERE, "finite numbers", number);
    }
    data[at++] = (float) number;
  }
}
