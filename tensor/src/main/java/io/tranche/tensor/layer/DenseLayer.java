package io.tranche.tensor.layer;

import io.tranche.tensor.Linear;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A [Linear] as a layer.
record DenseLayer(Linear linear) implements RowLayer {

  static DenseLayer plain(Weights weights, String name, int inputs, int outputs) {
    return new DenseLayer(Linear.plain(weights, name, inputs, outputs));
  }

  static DenseLayer withRelu(Weights weights, String name, int inputs, int outputs) {
    return new DenseLayer(Linear.withRelu(weights, name, inputs, outputs));
  }

  @Override
  public int outputs() {
    return linear.outputs();
  }

  @Override
  public void initialise(RandomGenerator random) {
    linear.initialise(random);
  }

  @Override
  public void forward(int count, Rows x, Rows y) {
    linear.forward(count, x, y);
  }

  @Override
  public void backward(int count, Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients) {
    linear.backward(count, x, y, dy, dx, gradients);
  }
}
