package io.tranche.tensor.layer;

import io.tranche.tensor.Rows;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A layer whose input is added to its output.
record ResidualLayer(Layer inner, int outputs) implements Layer {

  ResidualLayer {
    if (inner.outputs() != outputs) {
      throw new IllegalArgumentException(
          "residual layers must keep the width %d, was %d".formatted(outputs, inner.outputs()));
    }
  }

  @Override
  public int maxSteps() {
    return inner.maxSteps();
  }

  @Override
  public void initialise(RandomGenerator random) {
    inner.initialise(random);
  }

  @Override
  public Pass newPass(int maxSteps, int maxLanes) {
    Pass pass = inner.newPass(maxSteps, maxLanes);
    Rows result = Rows.zeros(Math.multiplyExact(maxSteps, maxLanes), outputs);
    Rows resultGradients = Rows.zeros(Math.multiplyExact(maxSteps, maxLanes), outputs);
    return new Pass() {
      private int count;

      @Override
      public void training(boolean on) {
        pass.training(on);
      }

      @Override
      public void forward(int steps, int lanes, Rows x, Rows y) {
        count = steps * lanes;
        pass.forward(steps, lanes, x, result);
        for (int i = 0; i < count; i++) {
          y.copyRow(i, outputs, result, i);
          y.addRow(i, outputs, x, i);
        }
      }

      @Override
      public void backward(Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients) {
        for (int i = 0; i < count; i++) {
          resultGradients.copyRow(i, outputs, dy, i);
        }
        pass.backward(x, result, resultGradients, dx, gradients);
        if (dx != null) {
          dx.add(count, outputs, dy);
        }
      }
    };
  }

  @Override
  public Stream newStream(int maxSteps) {
    Stream stream = inner.newStream(maxSteps);
    return (x, y) -> {
      stream.step(x, y);
      y.addRow(0, outputs, x, 0);
    };
  }
}
