package io.tranche.policy.weights;

import java.util.ArrayList;
import java.util.List;

/// Arithmetic on shapes that come from files.
final class Shapes {

  static final int MAX_DIMENSIONS = 16;

  private Shapes() {}

  /// Returns the number of elements of a shape; if that exceeds an int, `Integer.MAX_VALUE` or
  /// more.
  static long elements(List<Integer> shape) {
    long elements = 1;
    for (int size : shape) {
      if (size == 0) {
        return 0;
      }
      // Capped, so that the next product cannot wrap around.
      elements = Math.min(elements, Integer.MAX_VALUE) * size;
    }
    return elements;
  }

  /// Checks `sizes` and returns them as a shape.
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

  /// Returns the strides of a contiguous tensor.
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
