package io.tranche.tensor.layer;

import io.tranche.tensor.Attention;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// An [Attention] of each step to itself and to earlier ones.
record AttentionLayer(Attention attention) implements Layer {

  static AttentionLayer of(Weights weights, String name, int width, int heads) {
    return new AttentionLayer(Attention.scaled(weights, name + ".", width, width, heads));
  }

  @Override
  public int outputs() {
    return attention.width();
  }

  @Override
  public void initialise(RandomGenerator random) {
    attention.initialise(random);
  }

  @Override
  public Pass newPass(int maxSteps, int maxLanes) {
    return new AttentionPass(attention, maxSteps, maxLanes);
  }

  @Override
  public Stream newStream(int maxSteps) {
    Attention.Memory memory = attention.newMemory(maxSteps);
    return (x, y) -> {
      memory.add(x, x);
      y.copyRow(0, outputs(), memory.attend(x), 0);
    };
  }

  /// Attention needs the rows of a lane side by side: they are copied.
  private static final class AttentionPass implements Pass {
    private final int width;
    private final Attention.Pass pass;
    private final int[] visible;
    private final Rows input;
    private final Rows outputGradients;
    private final Rows dQueries;
    private final Rows dKeys;
    private final Rows dValues;
    private int steps;
    private int lanes;

    AttentionPass(Attention attention, int maxSteps, int maxLanes) {
      int rows = Math.multiplyExact(maxSteps, maxLanes);
      width = attention.width();
      pass = attention.newPass(maxLanes, maxSteps, maxSteps);
      visible = new int[rows];
      input = Rows.zeros(rows, width);
      outputGradients = Rows.zeros(rows, width);
      dQueries = Rows.zeros(rows, width);
      dKeys = Rows.zeros(rows, width);
      dValues = Rows.zeros(rows, width);
    }

    @Override
    public void forward(int steps, int lanes, Rows x, Rows y) {
      this.steps = steps;
      this.lanes = lanes;
      laneByLane(x, input);
      for (int i = 0; i < steps * lanes; i++) {
        visible[i] = i % steps + 1;
      }
      pass.forward(lanes, steps, steps, input, input, input, visible);
      stepByStep(pass.output(), y);
    }

    @Override
    public void backward(Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients) {
      laneByLane(dy, outputGradients);
      pass.backward(input, input, input, outputGradients, dQueries, dKeys, dValues, gradients);
      if (dx != null) {
        dQueries.add(steps * lanes, width, dKeys);
        dQueries.add(steps * lanes, width, dValues);
        stepByStep(dQueries, dx);
      }
    }

    private void laneByLane(Rows from, Rows to) {
      for (int lane = 0; lane < lanes; lane++) {
        for (int step = 0; step < steps; step++) {
          to.copyRow(lane * steps + step, width, from, step * lanes + lane);
        }
      }
    }

    private void stepByStep(Rows from, Rows to) {
      for (int lane = 0; lane < lanes; lane++) {
        for (int step = 0; step < steps; step++) {
          to.copyRow(step * lanes + lane, width, from, lane * steps + step);
        }
      }
    }
  }
}
