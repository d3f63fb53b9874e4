package io.tranche.tensor;

import io.tranche.tensor.kernels.Kernels;

/// Turns rows of scores into probabilities, and back. Hot path: allocates nothing.
public final class Softmax {

  private static final Kernels KERNELS = Kernels.best();

  private Softmax() {}

  /// Replaces each of `count` rows of `width` scores by their softmax.
  public static void forward(int count, int width, Rows x) {
    for (int i = 0; i < count; i++) {
      KERNELS.softmax(width, x.data, x.offset(i));
    }
  }

  /// Replaces the gradients of the probabilities `p` by those of the scores.
  public static void backward(int count, int width, Rows p, Rows gradient) {
    for (int i = 0; i < count; i++) {
      KERNELS.softmaxBackward(width, p.data, p.offset(i), gradient.data, gradient.offset(i));
    }
  }
}
