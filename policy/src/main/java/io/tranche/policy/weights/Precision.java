package io.tranche.policy.weights;

import java.util.List;
import java.util.Locale;

/// The number format of weights in a file. Computation is always in float32; large matrices stay in
/// their format in memory, see [io.tranche.tensor.Weights#pack].
public enum Precision {
  FLOAT32,
  /// IEEE float16.
  HALF,
  /// One byte per number of a matrix, and one float32 scale per row; everything else in float32.
  INT8;

  /// Returns the names that users write.
  public static List<String> labels() {
    return List.of(FLOAT32.label(), HALF.label(), INT8.label());
  }

  /// Returns the precision with a label.
  ///
  /// @throws IllegalArgumentException if there is none
  public static Precision of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  /// Returns the name that users write.
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Returns whether `tensor` is stored in bytes: vectors are small, and a bias has no row to share
  /// a scale with.
  boolean isInBytes(Tensor tensor) {
    return this == INT8 && tensor.shape().size() >= 2;
  }
}
