package io.tranche.tensor.layer;

import io.tranche.tensor.Rows;
import org.jspecify.annotations.Nullable;

/// A layer that maps each row alone: one class with a forward and a backward pass.
public interface RowLayer extends Layer {

  /// Maps the first `count` rows of `x` to those of `y`.
  void forward(int count, Rows x, Rows y);

  /// Backward pass of [#forward], given the same `x` and `y`.
  ///
  /// @param dy the gradient of `y`; may be overwritten
  /// @param dx receives the gradient of `x`; null if it is not needed
  /// @param gradients laid out like the weights; this layer's gradients are added to it
  void backward(int count, Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients);

  @Override
  default Pass newPass(int maxSteps, int maxLanes) {
    RowLayer layer = this;
    return new Pass() {
      private int count;

      @Override
      public void forward(int steps, int lanes, Rows x, Rows y) {
        count = steps * lanes;
        layer.forward(count, x, y);
      }

      @Override
      public void backward(Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients) {
        layer.backward(count, x, y, dy, dx, gradients);
      }
    };
  }

  @Override
  default Stream newStream(int maxSteps) {
    return (x, y) -> forward(1, x, y);
  }
}
