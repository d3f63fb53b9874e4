package io.tranche.policy.encoder;

import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import java.util.Arrays;
import java.util.List;

/// Every number of an observation in a row, in the order of its space. A choice of `n` becomes `n`
/// numbers, of which one is 1 and the others are 0.
public record FlatInput(Space space, int size) {

  public static FlatInput of(Space space) {
    return new FlatInput(space, sizeOf(space));
  }

  private static int sizeOf(Space space) {
    return switch (space) {
      case Space.Box box -> box.shape().stream().reduce(1, Math::multiplyExact);
      case Space.Discrete(int count) -> count;
      case Space.MultiBinary(int bits) -> bits;
      case Space.MultiDiscrete(List<Integer> counts) -> counts.size();
      case Space.Dict(var parts) ->
          parts.values().stream().mapToInt(FlatInput::sizeOf).reduce(0, Math::addExact);
      case Space.Tuple(var parts) ->
          parts.stream().mapToInt(FlatInput::sizeOf).reduce(0, Math::addExact);
    };
  }

  /// Writes all numbers of `observation` to `data`, from `at` on.
  public void write(Observation observation, float[] data, int at) {
    write(space, observation.toValue(), data, at);
  }

  private static int write(Space space, Value value, float[] data, int at) {
    return switch (space) {
      case Space.Discrete(int count) -> {
        Arrays.fill(data, at, at + count, 0);
        data[at + Math.toIntExact((long) number(value))] = 1;
        yield at + count;
      }
      case Space.Dict(var parts) when value instanceof Value.Dict(var entries) -> {
        int next = at;
        for (var part : parts.entrySet()) {
          Value entry = entries.get(part.getKey());
          if (entry == null) {
            throw wrong("the key " + part.getKey(), entries.keySet());
          }
          next = write(part.getValue(), entry, data, next);
        }
        yield next;
      }
      case Space.Tuple(var parts) when value instanceof Value.Tuple(var items) -> {
        int next = at;
        for (int i = 0; i < parts.size(); i++) {
          next = write(parts.get(i), items.get(i), data, next);
        }
        yield next;
      }
      default -> numbers(value, data, at);
    };
  }

  private static int numbers(Value value, float[] data, int at) {
    return switch (value) {
      case Value.Floats floats -> {
        for (int i = 0; i < floats.size(); i++) {
          data[at + i] = (float) floats.at(i);
        }
        yield at + floats.size();
      }
      case Value.Integers integers -> {
        for (int i = 0; i < integers.size(); i++) {
          data[at + i] = integers.at(i);
        }
        yield at + integers.size();
      }
      case Value.Plain _, Value.Dict _, Value.Tuple _ -> {
        data[at] = (float) number(value);
        yield at + 1;
      }
    };
  }

  private static double number(Value value) {
    return switch (value) {
      case Value.Integers integers when integers.size() == 1 -> integers.at(0);
      case Value.Floats floats when floats.size() == 1 -> floats.at(0);
      case Value.Plain(Number number) -> number.doubleValue();
      case Value.Plain(Boolean truth) -> truth ? 1 : 0;
      default -> throw wrong("numbers", value);
    };
  }

  private static ConfigException wrong(String expected, Object was) {
    return new ConfigException("observation", expected, was);
  }
}
