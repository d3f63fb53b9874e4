package io.tranche.policy.weights;

import java.util.List;
import java.util.Locale;

/// In what numbers a file holds weights. They are computed with in float32, whatever it is.
public enum Precision {
  FLOAT32,
  /// IEEE float16.
  HALF,
  /// A byte a number of a matrix, and a step a row of it, in float32 like everything else.
  INT8;

  /// Returns the names, as users write them.
  public static List<String> labels() {
    return List.of(FLOAT32.label(), HALF.label(), INT8.label());
  }

  /// Returns the one with a label.
  ///
  /// @throws IllegalArgumentException if there is none
  public static Precision of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  /// Returns its name, as users write it.
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Returns whether numbers of `tensor` become bytes: vectors are small, and biases have no row to
  /// share a step with.
  boolean isInBytes(Tensor tensor) {
    return this == INT8 && tensor.shape().size() >= 2;
  }
}
