package io.tranche.work.gym;

import io.tranche.env.space.Space;
import io.tranche.env.space.SpaceException;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// Where the values of a space lie in shared memory: one array for each leaf of the space, with one
/// row for each environment.
sealed interface SpaceLayout {

  /// Places arrays one after another, each at the beginning of a cache line.
  final class Cursor {
    private static final long LINE = 64;

    private long end;

    long take(long bytes) {
      long at = end;
      end = Math.ceilDiv(Math.addExact(at, bytes), LINE) * LINE;
      return at;
    }

    long end() {
      return end;
    }
  }

  /// Returns the description for the other program, in the form of JSON.
  Map<String, Object> describe();

  /// Writes a value of the space into the row of an environment.
  ///
  /// @throws SpaceException if the value has other parts than the space
  void write(MemorySegment memory, int environment, Value value);

  static SpaceLayout of(Space space, int environments, Cursor cursor) {
    return switch (space) {
      case Space.Dict(var spaces) -> {
        var parts = new LinkedHashMap<String, SpaceLayout>();
        spaces.forEach((name, part) -> parts.put(name, of(part, environments, cursor)));
        yield new Dict(parts);
      }
      case Space.Tuple(var spaces) ->
          new Tuple(spaces.stream().map(part -> of(part, environments, cursor)).toList());
      case Space.Box box -> Leaf.of(box, box.type(), box.shape(), environments, cursor);
      case Space.Discrete _ -> Leaf.of(space, ElementType.INT64, List.of(), environments, cursor);
      case Space.MultiBinary(int size) ->
          Leaf.of(space, ElementType.INT8, List.of(size), environments, cursor);
      case Space.MultiDiscrete(var counts) ->
          Leaf.of(space, ElementType.INT64, List.of(counts.size()), environments, cursor);
    };
  }

  /// Parts by name.
  record Dict(Map<String, SpaceLayout> parts) implements SpaceLayout {

    @Override
    public Map<String, Object> describe() {
      var described = new LinkedHashMap<String, Object>();
      parts.forEach((name, part) -> described.put(name, part.describe()));
      return Map.of("kind", "Dict", "spaces", described);
    }

    @Override
    public void write(MemorySegment memory, int environment, Value value) {
      if (!(value instanceof Value.Dict(var entries)) || !entries.keySet().equals(parts.keySet())) {
        throw wrong("a dict of " + parts.keySet(), value);
      }
      entries.forEach(
          (name, part) -> Objects.requireNonNull(parts.get(name)).write(memory, environment, part));
    }
  }

  /// Parts by position.
  record Tuple(List<SpaceLayout> parts) implements SpaceLayout {

    @Override
    public Map<String, Object> describe() {
      return Map.of("kind", "Tuple", "spaces", parts.stream().map(SpaceLayout::describe).toList());
    }

    @Override
    public void write(MemorySegment memory, int environment, Value value) {
      if (!(value instanceof Value.Tuple(var items)) || items.size() != parts.size()) {
        throw wrong("a tuple of " + parts.size(), value);
      }
      for (int i = 0; i < parts.size(); i++) {
        parts.get(i).write(memory, environment, items.get(i));
      }
    }
  }

  /// An array.
  ///
  /// @param offset of the first environment's row
  /// @param size the number of elements in a row
  /// @param elementBytes the size of an element
  record Leaf(
      Space space, ElementType type, List<Integer> shape, long offset, int size, int elementBytes)
      implements SpaceLayout {

    static Leaf of(
        Space space, ElementType type, List<Integer> shape, int environments, Cursor cursor) {
      int size = shape.stream().reduce(1, Math::multiplyExact);
      int elementBytes =
          switch (type) {
            case FLOAT64, INT64 -> Long.BYTES;
            case FLOAT32, INT32 -> Integer.BYTES;
            case INT8, UINT8, BOOL -> 1;
          };
      long bytes = Math.multiplyExact((long) environments * elementBytes, size);
      return new Leaf(space, type, shape, cursor.take(bytes), size, elementBytes);
    }

    /// Returns where an element of an environment's row is.
    long at(int environment, int element) {
      return offset + ((long) environment * size + element) * elementBytes;
    }

    double read(MemorySegment memory, int environment, int element) {
      long at = at(environment, element);
      return switch (type) {
        case FLOAT32 -> memory.get(ValueLayout.JAVA_FLOAT, at);
        case FLOAT64 -> memory.get(ValueLayout.JAVA_DOUBLE, at);
        case INT32 -> memory.get(ValueLayout.JAVA_INT, at);
        case INT64 -> memory.get(ValueLayout.JAVA_LONG, at);
        case INT8 -> memory.get(ValueLayout.JAVA_BYTE, at);
        case UINT8, BOOL -> Byte.toUnsignedInt(memory.get(ValueLayout.JAVA_BYTE, at));
      };
    }

    void write(MemorySegment memory, int environment, int element, double number) {
      long at = at(environment, element);
      switch (type) {
        case FLOAT32 -> memory.set(ValueLayout.JAVA_FLOAT, at, (float) number);
        case FLOAT64 -> memory.set(ValueLayout.JAVA_DOUBLE, at, number);
        case INT32 -> memory.set(ValueLayout.JAVA_INT, at, (int) number);
        case INT64 -> memory.set(ValueLayout.JAVA_LONG, at, (long) number);
        case INT8, UINT8, BOOL -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) (int) number);
      }
    }

    /// Days of fewer ticks than the space have fewer rows: the rest is 0.
    @Override
    public void write(MemorySegment memory, int environment, Value value) {
      int given =
          switch (value) {
            case Value.Floats floats -> floats.size();
            case Value.Integers integers -> integers.size();
            case Value.Plain(Number _), Value.Plain(Boolean _) -> 1;
            case Value.Plain _, Value.Dict _, Value.Tuple _ -> -1;
          };
      if (given < 0 || given > size()) {
        throw wrong("at most %d numbers".formatted(size()), value);
      }
      for (int i = 0; i < given; i++) {
        write(memory, environment, i, number(value, i));
      }
      for (int i = given; i < size(); i++) {
        write(memory, environment, i, 0);
      }
    }

    private static double number(Value value, int index) {
      return switch (value) {
        case Value.Floats floats -> floats.at(index);
        case Value.Integers integers -> integers.at(index);
        case Value.Plain(Number number) -> number.doubleValue();
        case Value.Plain(Boolean truth) -> truth ? 1 : 0;
        case Value.Plain _, Value.Dict _, Value.Tuple _ -> Double.NaN;
      };
    }

    @Override
    public Map<String, Object> describe() {
      var described = new LinkedHashMap<String, Object>();
      described.put("kind", space.getClass().getSimpleName());
      described.put("type", type.name().toLowerCase(Locale.ROOT));
      described.put("shape", shape);
      described.put("offset", offset);
      switch (space) {
        case Space.Box box -> {
          described.put("low", Double.toString(box.low()));
          described.put("high", Double.toString(box.high()));
        }
        case Space.Discrete(int count) -> described.put("count", count);
        case Space.MultiDiscrete(var counts) -> described.put("counts", counts);
        case Space.MultiBinary _, Space.Dict _, Space.Tuple _ -> {}
      }
      return described;
    }
  }

  private static SpaceException wrong(String rule, Object was) {
    return new SpaceException(
        Space.REFUSED, "", "must be %s, was %s".formatted(rule, was.getClass().getSimpleName()));
  }
}
