package io.tranche.policy.encoder;

import io.tranche.market.DataException;
import io.tranche.tensor.Rows;
import io.tranche.tensor.layer.Layer;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/// A [Layer] as an encoder.
public record LayersEncoder(Layer layer, int inputs) implements CausalEncoder {

  @Override
  public int outputs() {
    return layer.outputs();
  }

  @Override
  public void initialise(RandomGenerator random) {
    layer.initialise(random);
  }

  @Override
  public Pass newPass(int maxLanes) {
    return new LayersPass(layer, inputs, maxLanes);
  }

  private static void requireRoom(Layer layer, int steps) {
    if (steps > layer.maxSteps()) {
      // The row of zeros before the first tick is a step as well.
      throw new DataException(
          "a day for this network",
          "at most %d ticks, as its layer `positions` says".formatted(layer.maxSteps() - 1),
          steps - 1);
    }
  }

  @Override
  public Streams newStreams() {
    Rows input = Rows.zeros(1, inputs);
    return maxSteps -> {
      requireRoom(layer, maxSteps);
      Layer.Stream stream = layer.newStream(maxSteps);
      Rows output = Rows.zeros(1, layer.outputs());
      return new Stream() {
        @Override
        public void append(float[] data, int at) {
          System.arraycopy(data, at, input.data(), 0, inputs);
          stream.step(input, output);
        }

        @Override
        public void copyOutput(float[] target, int at) {
          System.arraycopy(output.data(), 0, target, at, output.stride());
        }
      };
    };
  }

  /// Sequences, laid out step by step.
  private static final class LayersPass implements Pass {
    private final Layer layer;
    private final int inputs;
    private final int maxLanes;
    private int maxSteps;
    private int steps;
    private int lanes;
    private boolean training;
    private Rows input;
    private Rows output;
    private Rows outputGradient;
    private Layer.Pass pass;

    LayersPass(Layer layer, int inputs, int maxLanes) {
      this.layer = layer;
      this.inputs = inputs;
      this.maxLanes = maxLanes;
      this.maxSteps = 1;
      this.input = rows(inputs);
      this.output = rows(layer.outputs());
      this.outputGradient = rows(layer.outputs());
      this.pass = layer.newPass(maxSteps, maxLanes);
    }

    private Rows rows(int width) {
      return Rows.zeros(Math.multiplyExact(maxSteps, maxLanes), width);
    }

    @Override
    public void training(boolean on) {
      training = on;
      pass.training(on);
    }

    @Override
    public void begin(int steps, int lanes) {
      this.steps = steps;
      this.lanes = lanes;
      if (steps > maxSteps) {
        requireRoom(layer, steps);
        maxSteps = steps;
        input = rows(inputs);
        output = rows(layer.outputs());
        outputGradient = rows(layer.outputs());
        pass = layer.newPass(maxSteps, maxLanes);
        pass.training(training);
      }
    }

    @Override
    public int row(int step, int lane) {
      return step * lanes + lane;
    }

    @Override
    public Rows input() {
      return input;
    }

    @Override
    public void forward() {
      pass.forward(steps, lanes, input, output);
      Arrays.fill(outputGradient.data(), 0, steps * lanes * layer.outputs(), 0);
    }

    @Override
    public Rows output() {
      return output;
    }

    @Override
    public Rows outputGradient() {
      return outputGradient;
    }

    @Override
    public void backward(float[] gradients) {
      pass.backward(input, output, outputGradient, null, gradients);
    }
  }
}
