package io.tranche.tensor.layer;

import io.tranche.tensor.Rnn;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import io.tranche.tensor.layer.Layers.Recurrence;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// An [Rnn] as a layer.
record RecurrentLayer(Rnn rnn) implements Layer {

  static RecurrentLayer of(Weights weights, String name, int inputs, Recurrence kind) {
    return new RecurrentLayer(
        new Rnn(weights, name, kind.type(), inputs, kind.width(), kind.depth()));
  }

  @Override
  public int outputs() {
    return rnn.hidden();
  }

  @Override
  public void initialise(RandomGenerator random) {
    rnn.initialise(random);
  }

  @Override
  public Pass newPass(int maxSteps, int maxLanes) {
    int width = outputs();
    Rnn.Pass pass = rnn.newPass(maxSteps, maxLanes);
    return new Pass() {
      private int count;

      @Override
      public void forward(int steps, int lanes, Rows x, Rows y) {
        count = steps * lanes;
        pass.forward(steps, lanes, x);
        for (int i = 0; i < count; i++) {
          y.copyRow(i, width, pass.output(), i);
        }
      }

      @Override
      public void backward(Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients) {
        for (int i = 0; i < count; i++) {
          pass.outputGradient().copyRow(i, width, dy, i);
        }
        pass.backward(x, dx, gradients);
      }
    };
  }

  @Override
  public Stream newStream(int maxSteps) {
    Rnn.Stream stream = rnn.newStream(1);
    return (x, y) -> {
      stream.step(0, 1, x);
      y.copyRow(0, outputs(), stream.output(), 0);
    };
  }
}
