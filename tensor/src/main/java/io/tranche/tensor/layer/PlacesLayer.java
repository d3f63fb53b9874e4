package io.tranche.tensor.layer;

import io.tranche.tensor.Positions;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// [Positions] as a layer.
record PlacesLayer(Positions positions, int outputs) implements Layer {

  static PlacesLayer of(Weights weights, String name, int inputs, int steps) {
    return new PlacesLayer(new Positions(weights, name, steps, inputs), inputs);
  }

  @Override
  public int maxSteps() {
    return positions.places();
  }

  @Override
  public void initialise(RandomGenerator random) {
    positions.initialise(random);
  }

  @Override
  public Pass newPass(int maxSteps, int maxLanes) {
    return new Pass() {
      private int count;
      private int lanes;

      @Override
      public void forward(int steps, int lanes, Rows x, Rows y) {
        this.count = steps * lanes;
        this.lanes = lanes;
        for (int i = 0; i < count; i++) {
          y.copyRow(i, outputs, x, i);
          positions.add(i / lanes, y, i);
        }
      }

      @Override
      public void backward(Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients) {
        for (int i = 0; i < count; i++) {
          positions.addGradient(i / lanes, dy, i, gradients);
          if (dx != null) {
            dx.copyRow(i, outputs, dy, i);
          }
        }
      }
    };
  }

  @Override
  public Stream newStream(int maxSteps) {
    return new Stream() {
      private int step;

      @Override
      public void step(Rows x, Rows y) {
        y.copyRow(0, outputs, x, 0);
        positions.add(step++, y, 0);
      }
    };
  }
}
