package io.tranche.policy.weights;

import java.util.ArrayList;
import java.util.List;

/// Arithmetic on shapes that come from files.
final class Shapes {

  static final int MAX_DIMENSIONS = 16;

  private Shapes() {}

  /// Returns how many elements a shape has; where that is beyond an int, `Integer.MAX_VALUE` or
  /// more.
  static long elements(List<Integer> shape) {
    long elements = 1;
    for (int size : shape) {
      if (size == 0) {
        return 0;
      }
      // Once too large it stays so: the next product cannot wrap around.
      elements = Math.min(elements, Integer.MAX_VALUE) * size;
    }
    return elements;
  }

  /// Returns `sizes` as a shape.
  static List<Integer> of(String where, List<Long> sizes) {
    if (sizes.size() > MAX_DIMENSIONS) {
      throw new CheckpointException(
          where, "at most %d dimensions".formatted(MAX_DIMENSIONS), sizes.size());
    }
    var shape = new ArrayList<Integer>(sizes.size());
    for (long size : sizes) {
      if (size < 0 || size > Integer.MAX_VALUE) {
        throw new CheckpointException(where, "a dimension", size);
      }
      shape.add((int) size);
    }
    return shape;
  }

  /// Returns the strides of elements that lie side by side.
  static List<Integer> contiguousStrides(List<Integer> shape) {
    var strides = new ArrayList<>(shape);
    int stride = 1;
    for (int i = shape.size() - 1; i >= 0; i--) {
      strides.set(i, stride);
      stride *= Math.max(shape.get(i), 1);
    }
    return strides;
  }
}
