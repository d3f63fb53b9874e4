package io.tranche.policy.encoder;

import io.tranche.tensor.Linear;
import io.tranche.tensor.Rnn;
import io.tranche.tensor.Rows;
import java.util.random.RandomGenerator;

/// A linear layer followed by a recurrent one.
public record SequenceEncoder(Linear layer, Rnn rnn) implements CausalEncoder {

  @Override
  public int inputs() {
    return layer.inputs();
  }

  @Override
  public int outputs() {
    return rnn.hidden();
  }

  @Override
  public void initialise(RandomGenerator random) {
    layer.initialise(random);
    rnn.initialise(random);
  }

  @Override
  public Pass newPass(int maxLanes) {
    return new SequencePass(this, maxLanes, true);
  }

  @Override
  public Pass newForwardPass(int maxLanes) {
    return new SequencePass(this, maxLanes, false);
  }

  @Override
  public Streams newStreams() {
    return new SequenceStreams(this);
  }

  /// Sequences that hold one state each and share the layers' buffers.
  private static final class SequenceStreams implements Streams {
    private final Linear layer;
    private final Rnn.Stream stream;
    private final Rows input;
    private final Rows encoded;

    private SequenceStreams(SequenceEncoder encoder) {
      layer = encoder.layer;
      stream = encoder.rnn.newStream(1);
      input = Rows.zeros(1, layer.inputs());
      encoded = Rows.zeros(1, layer.outputs());
    }

    @Override
    public Stream begin(int maxSteps) {
      float[] state = new float[stream.stateSize()];
      return new Stream() {
        @Override
        public void append(float[] data, int at) {
          System.arraycopy(data, at, input.data(), 0, layer.inputs());
          layer.forward(1, input, encoded);
          stream.restore(0, state, 0);
          stream.step(0, 1, encoded);
          stream.save(0, state, 0);
        }

        @Override
        public void copyOutput(float[] target, int at) {
          int from = stream.lastLayer();
          System.arraycopy(state, from, target, at, stream.output().stride());
        }
      };
    }
  }

  /// Sequences, laid out step by step.
  static final class SequencePass implements Pass {
    private final SequenceEncoder encoder;
    private final int maxLanes;
    private final boolean backward;
    private int maxSteps;
    private int steps;
    private int lanes;
    private Rows input;
    private Rows encoded;
    private Rows encodedGradients;
    private Rnn.Pass pass;

    private SequencePass(SequenceEncoder encoder, int maxLanes, boolean backward) {
      this.encoder = encoder;
      this.maxLanes = maxLanes;
      this.backward = backward;
      this.maxSteps = 1;
      this.input = rows(encoder.layer.inputs());
      this.encoded = rows(encoder.layer.outputs());
      this.encodedGradients = gradientRows();
      this.pass = newRnnPass();
    }

    private Rows rows(int width) {
      return Rows.zeros(Math.multiplyExact(maxSteps, maxLanes), width);
    }

    private Rows gradientRows() {
      return backward ? rows(encoder.layer.outputs()) : Rows.zeros(0, encoder.layer.outputs());
    }

    private Rnn.Pass newRnnPass() {
      return backward
          ? encoder.rnn.newPass(maxSteps, maxLanes)
          : encoder.rnn.newForwardPass(maxSteps, maxLanes);
    }

    @Override
    public void begin(int steps, int lanes) {
      this.steps = steps;
      this.lanes = lanes;
      if (steps > maxSteps) {
        maxSteps = steps;
        input = rows(encoder.layer.inputs());
        encoded = rows(encoder.layer.outputs());
        encodedGradients = gradientRows();
        pass = newRnnPass();
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
      encoder.layer.forward(steps * lanes, input, encoded);
      pass.forward(steps, lanes, encoded);
    }

    @Override
    public Rows output() {
      return pass.output();
    }

    @Override
    public Rows outputGradient() {
      return pass.outputGradient();
    }

    @Override
    public void backward(float[] gradients) {
      pass.backward(encoded, encodedGradients, gradients);
      encoder.layer.backward(steps * lanes, input, encoded, encodedGradients, null, gradients);
    }
  }
}
