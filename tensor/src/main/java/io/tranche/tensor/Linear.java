package io.tranche.tensor;

import io.tranche.tensor.kernels.Kernels;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A linear map with a bias, applied to rows, optionally followed by a ReLU.
///
/// Hot path: only [#initialise] allocates, and any number of threads may share a layer.
public final class Linear {

  private static final Kernels KERNELS = Kernels.best();

  private final Weights weights;
  private final Factor weight;
  private final Parameter bias;
  private final int inputs;
  private final int outputs;
  private final boolean relu;

  /// Start values of 0 for every row of the backward pass.
  private final float[] zeros;

  private Linear(Weights weights, String name, int inputs, int outputs, boolean relu) {
    this.weights = weights;
    this.weight = weights.factor(name + ".weight", outputs, inputs);
    this.bias = weights.vector(name + ".bias", outputs);
    this.inputs = inputs;
    this.outputs = outputs;
    this.relu = relu;
    this.zeros = new float[inputs];
  }

  /// Adds `name.weight` and `name.bias` to `weights`.
  public static Linear plain(Weights weights, String name, int inputs, int outputs) {
    return new Linear(weights, name, inputs, outputs, false);
  }

  /// Adds `name.weight` and `name.bias` to `weights`; negative outputs become 0.
  public static Linear withRelu(Weights weights, String name, int inputs, int outputs) {
    return new Linear(weights, name, inputs, outputs, true);
  }

  public int inputs() {
    return inputs;
  }

  public int outputs() {
    return outputs;
  }

  /// Draws weight and bias like torch: uniformly within `±1 / sqrt(inputs)`.
  public void initialise(RandomGenerator random) {
    double bound = 1 / Math.sqrt(inputs);
    weights.fillUniform(weight.parameter(), bound, random);
    weights.fillUniform(bias, bound, random);
  }

  /// Maps the first `count` rows of `x` to those of `y`.
  public void forward(int count, Rows x, Rows y) {
    weight.multiply(
        count,
        0,
        outputs,
        x.data,
        x.at,
        x.stride,
        weights.values(),
        bias.offset(),
        0,
        y.data,
        y.at,
        y.stride);
    for (int i = 0; relu && i < count; i++) {
      KERNELS.relu(outputs, y.data, y.offset(i));
    }
  }

  /// Backward pass of [#forward], given the same `x` and `y`.
  ///
  /// @param dy the gradient of `y`; overwritten if there is a ReLU
  /// @param dx receives the gradient of `x`; null if it is not needed
  /// @param gradients laid out like the weights; this layer's gradients are added to it
  public void backward(int count, Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients) {
    for (int i = 0; relu && i < count; i++) {
      KERNELS.reluBackward(outputs, y.data, y.offset(i), dy.data, dy.offset(i));
    }
    int at = weight.parameter().offset();
    if (dx != null) {
      float[] w = weights.transposed();
      KERNELS.multiply(
          count, inputs, outputs, dy.data, dy.at, dy.stride, 1, w, at, inputs, zeros, 0, 0, dx.data,
          dx.at, dx.stride);
    }
    KERNELS.multiply(
        inputs, outputs, count, x.data, x.at, 1, x.stride, dy.data, dy.at, dy.stride, gradients, at,
        outputs, gradients, at, outputs);
    KERNELS.addRows(count, outputs, dy.data, dy.at, dy.stride, gradients, bias.offset());
  }
}
