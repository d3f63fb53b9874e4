package io.tranche.tensor.layer;

import io.tranche.tensor.Rows;
import io.tranche.tensor.kernels.Kernels;
import io.tranche.tensor.layer.Layers.Activation;
import org.jspecify.annotations.Nullable;

/// A function of each number. Its derivative follows from its output.
record ActivationLayer(Activation kind, int outputs) implements RowLayer {

  private static final Kernels KERNELS = Kernels.best();

  @Override
  public void forward(int count, Rows x, Rows y) {
    float[] data = y.data();
    for (int i = 0; i < count; i++) {
      y.copyRow(i, outputs, x, i);
      int at = y.offset(i);
      switch (kind) {
        case RELU -> KERNELS.relu(outputs, data, at);
        case TANH -> KERNELS.tanh(outputs, data, at);
        case SIGMOID -> KERNELS.sigmoid(outputs, data, at);
      }
    }
  }

  @Override
  public void backward(int count, Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients) {
    if (dx == null) {
      return;
    }
    for (int i = 0; i < count; i++) {
      dx.copyRow(i, outputs, dy, i);
      multiply(y.data(), y.offset(i), dx.data(), dx.offset(i));
    }
  }

  /// Multiplies the gradient of a row of outputs by the derivative.
  private void multiply(float[] y, int at, float[] gradient, int to) {
    switch (kind) {
      case RELU -> KERNELS.reluBackward(outputs, y, at, gradient, to);
      case TANH -> {
        for (int j = 0; j < outputs; j++) {
          gradient[to + j] *= 1 - y[at + j] * y[at + j];
        }
      }
      case SIGMOID -> {
        for (int j = 0; j < outputs; j++) {
          gradient[to + j] *= y[at + j] * (1 - y[at + j]);
        }
      }
    }
  }
}
