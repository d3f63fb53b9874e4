package io.tranche.examples.network;

import io.tranche.tensor.Parameter;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import io.tranche.tensor.layer.RowLayer;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A layer of your own: each column times a learned number, which begins with 1.
record Gain(Weights weights, Parameter gain, int outputs) implements RowLayer {

  static Gain create(Weights weights, String name, int inputs) {
    return new Gain(weights, weights.vector(name + ".gain", inputs), inputs);
  }

  @Override
  public void initialise(RandomGenerator random) {
    float[] ones = new float[outputs];
    Arrays.fill(ones, 1);
    weights.load(gain, ones);
  }

  @Override
  public void forward(int count, Rows x, Rows y) {
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < outputs; j++) {
        y.data()[y.offset(i) + j] = x.data()[x.offset(i) + j] * weights.values()[gain.offset() + j];
      }
    }
  }

  @Override
  public void backward(int count, Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients) {
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < outputs; j++) {
        float slope = dy.data()[dy.offset(i) + j];
        gradients[gain.offset() + j] += slope * x.data()[x.offset(i) + j];
        if (dx != null) {
          dx.data()[dx.offset(i) + j] = slope * weights.values()[gain.offset() + j];
        }
      }
    }
  }
}
