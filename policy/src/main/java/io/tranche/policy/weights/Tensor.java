package io.tranche.policy.weights;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/// An immutable array of float32 with a shape, elements in torch's order: the last index runs
/// fastest.
///
/// Identity matters: names that share one tensor share one storage in torch's files.
public final class Tensor {

  private final List<Integer> shape;
  private final float[] elements;

  private Tensor(List<Integer> shape, float[] elements) {
    this.shape = shape;
    this.elements = elements;
  }

  /// Returns a tensor with a copy of `elements`; an empty shape is a single number.
  public static Tensor of(List<Integer> shape, float... elements) {
    return owning(shape, elements.clone());
  }

  /// Returns a tensor that keeps `elements` without copying; the array must not change afterwards.
  static Tensor owning(List<Integer> shape, float[] elements) {
    if (shape.stream().anyMatch(size -> size < 0)) {
      throw new IllegalArgumentException("shape must not be negative, was " + shape);
    }
    if (Shapes.elements(shape) != elements.length) {
      throw new IllegalArgumentException(
          "number of elements must fit the shape %s, was %d".formatted(shape, elements.length));
    }
    return new Tensor(List.copyOf(shape), elements);
  }

  public List<Integer> shape() {
    return shape;
  }

  public int size() {
    return elements.length;
  }

  /// Returns an element by its index in torch's order.
  public float at(int index) {
    return elements[index];
  }

  /// Returns a copy of the elements in torch's order.
  public float[] toArray() {
    return elements.clone();
  }

  byte[] littleEndian() {
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(elements.length, Float.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(elements);
    return bytes.array();
  }

  public boolean isFinite() {
    for (float element : elements) {
      if (!Float.isFinite(element)) {
        return false;
      }
    }
    return true;
  }

  /// Returns whether shapes and elements are equal; NaN equals NaN.
  public boolean sameAs(Tensor other) {
    return this == other || (shape.equals(other.shape) && Arrays.equals(elements, other.elements));
  }

  @Override
  public String toString() {
    return "a tensor of shape " + shape;
  }
}
