package io.tranche.tensor;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Normalises each row to mean 0 and variance 1, then applies a learned scale and shift.
///
/// The backward pass recomputes mean and variance, which is cheaper than storing them. Plain loops
/// with sums in double cost next to nothing beside the matrix products around them.
///
/// Hot path: only [#initialise] allocates, and any number of threads may share a layer.
public final class LayerNorm {

  /// Added to the variance, as in torch.
  private static final double EPSILON = 1e-5;

  private final Weights weights;
  private final Parameter weight;
  private final Parameter bias;
  private final int width;

  /// Adds `name.weight` and `name.bias` to `weights`.
  public LayerNorm(Weights weights, String name, int width) {
    this.weights = weights;
    this.weight = weights.vector(name + ".weight", width);
    this.bias = weights.vector(name + ".bias", width);
    this.width = width;
  }

  /// Sets the scale to 1 and the shift to 0, as torch does.
  public void initialise() {
    float[] ones = new float[width];
    Arrays.fill(ones, 1);
    weights.load(weight, ones);
    weights.load(bias, new float[width]);
  }

  /// Maps the first `count` rows of `x` to those of `y`.
  public void forward(int count, Rows x, Rows y) {
    float[] w = weights.values();
    for (int i = 0; i < count; i++) {
      int from = x.offset(i);
      int to = y.offset(i);
      double mean = mean(x.data, from);
      double factor = factor(x.data, from, mean);
      for (int j = 0; j < width; j++) {
        float normal = (float) ((x.data[from + j] - mean) * factor);
        y.data[to + j] = Math.fma(normal, w[weight.offset() + j], w[bias.offset() + j]);
      }
    }
  }

  /// Backward pass of [#forward], given the same `x`.
  ///
  /// With n = (x - mean) f and g = dy * scale: dx = f (g - mean(g) - n mean(g n)).
  ///
  /// @param dy the gradient of the output
  /// @param dx receives the gradient of `x`; null if it is not needed
  /// @param gradients laid out like the weights; this layer's gradients are added to it
  public void backward(int count, Rows x, Rows dy, @Nullable Rows dx, float[] gradients) {
    float[] w = weights.values();
    for (int i = 0; i < count; i++) {
      int from = x.offset(i);
      int at = dy.offset(i);
      double mean = mean(x.data, from);
      double factor = factor(x.data, from, mean);
      double sum = 0;
      double sumWithNormal = 0;
      for (int j = 0; j < width; j++) {
        float normal = (float) ((x.data[from + j] - mean) * factor);
        float gradient = dy.data[at + j];
        gradients[weight.offset() + j] += gradient * normal;
        gradients[bias.offset() + j] += gradient;
        double scaled = gradient * w[weight.offset() + j];
        sum += scaled;
        sumWithNormal += scaled * normal;
      }
      for (int j = 0; dx != null && j < width; j++) {
        double normal = (x.data[from + j] - mean) * factor;
        double scaled = dy.data[at + j] * w[weight.offset() + j];
        dx.data[dx.offset(i) + j] =
            (float) (factor * (scaled - (sum + normal * sumWithNormal) / width));
      }
    }
  }

  private double mean(float[] x, int at) {
    double sum = 0;
    for (int j = 0; j < width; j++) {
      sum += x[at + j];
    }
    return sum / width;
  }

  private double factor(float[] x, int at, double mean) {
    double squares = 0;
    for (int j = 0; j < width; j++) {
      double distance = x[at + j] - mean;
      squares += distance * distance;
    }
    return 1 / Math.sqrt(squares / width + EPSILON);
  }
}
