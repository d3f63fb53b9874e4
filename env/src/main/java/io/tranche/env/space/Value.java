package io.tranche.env.space;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Data in Qlib's form: nested dictionaries and tuples of arrays and plain values.
///
/// Observations are views and are converted only on request: for validation, golden cases and other
/// languages.
public sealed interface Value {

  /// Named values, in order.
  record Dict(Map<String, Value> entries) implements Value {
    public Dict {
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }
  }

  /// Values by position.
  record Tuple(List<Value> items) implements Value {
    public Tuple {
      items = List.copyOf(items);
    }
  }

  /// A single value that is not an array: a Boolean, Long, Double, String, or null.
  record Plain(@Nullable Object value) implements Value {}

  /// Floating-point numbers in row-major order. An empty shape is a scalar.
  final class Floats implements Value {
    private final ElementType type;
    private final List<Integer> shape;
    private final double[] data;

    /// Wraps `data` without copying; the caller must not change it afterwards.
    public Floats(ElementType type, List<Integer> shape, double... data) {
      this.type = type;
      this.shape = List.copyOf(shape);
      this.data = data;
      requireSize(this.shape, data.length);
    }

    public ElementType type() {
      return type;
    }

    public List<Integer> shape() {
      return shape;
    }

    public int size() {
      return data.length;
    }

    public double at(int index) {
      return data[index];
    }

    /// Returns item `index` of the first dimension, as iterating over a numpy array does.
    Value row(int index) {
      if (shape.size() == 1) {
        return new Plain(data[index]);
      }
      int width = data.length / shape.getFirst();
      return new Floats(
          type,
          shape.subList(1, shape.size()),
          Arrays.copyOfRange(data, index * width, (index + 1) * width));
    }
  }

  /// Whole numbers in row-major order. An empty shape is a scalar.
  final class Integers implements Value {
    private final ElementType type;
    private final List<Integer> shape;
    private final long[] data;

    /// Wraps `data` without copying; the caller must not change it afterwards.
    public Integers(ElementType type, List<Integer> shape, long... data) {
      this.type = type;
      this.shape = List.copyOf(shape);
      this.data = data;
      requireSize(this.shape, data.length);
    }

    public ElementType type() {
      return type;
    }

    public List<Integer> shape() {
      return shape;
    }

    public int size() {
      return data.length;
    }

    public long at(int index) {
      return data[index];
    }

    /// Returns item `index` of the first dimension, as iterating over a numpy array does.
    Value row(int index) {
      if (shape.size() == 1 && type != ElementType.BOOL) {
        return new Plain(data[index]);
      }
      int width = data.length / shape.getFirst();
      return new Integers(
          type,
          shape.subList(1, shape.size()),
          Arrays.copyOfRange(data, index * width, (index + 1) * width));
    }
  }

  /// The element type of an array; numpy's names are in lower case.
  enum ElementType {
    FLOAT32,
    FLOAT64,
    INT8,
    UINT8,
    INT32,
    INT64,
    BOOL;

    public boolean isFloating() {
      return this == FLOAT32 || this == FLOAT64;
    }

    /// Whether every value of this type is also one of `other`, according to numpy's `can_cast`,
    /// which allows 64-bit integers as 64-bit floats.
    boolean fits(ElementType other) {
      return this == other
          || switch (this) {
            case BOOL -> true;
            case INT8 -> other != BOOL && other != UINT8;
            case UINT8 -> other != BOOL && other != INT8;
            case INT32 -> other == INT64 || other == FLOAT64;
            case INT64, FLOAT32 -> other == FLOAT64;
            case FLOAT64 -> false;
          };
    }
  }

  private static void requireSize(List<Integer> shape, int size) {
    long expected = shape.contains(0) ? 0 : 1;
    for (int extent : shape) {
      expected = Math.multiplyExact(expected, extent);
    }
    if (expected != size) {
      throw new IllegalArgumentException(
          "data must fill the shape %s, was %d elements".formatted(shape, size));
    }
  }
}
