package io.tranche.tensor.layer;

import io.tranche.tensor.LayerNorm;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A [LayerNorm] as a layer.
record NormLayer(LayerNorm norm, int outputs) implements RowLayer {

  static NormLayer of(Weights weights, String name, int inputs) {
    return new NormLayer(new LayerNorm(weights, name, inputs), inputs);
  }

  @Override
  public void initialise(RandomGenerator random) {
    norm.initialise();
  }

  @Override
  public void forward(int count, Rows x, Rows y) {
    norm.forward(count, x, y);
  }

  @Override
  public void backward(int count, Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients) {
    norm.backward(count, x, dy, dx, gradients);
  }
}
