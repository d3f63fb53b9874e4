package io.tranche.policy.network;

import io.tranche.tensor.Linear;
import io.tranche.tensor.Rnn;
import io.tranche.tensor.Rows;
import java.util.random.RandomGenerator;

/// A linear layer and a recurrent one behind it.
record SequenceEncoder(Linear layer, Rnn rnn) {

  void initialise(RandomGenerator random) {
    layer.initialise(random);
    rnn.initialise(random);
  }

  /// Memory for sequences and the way back through them, for one thread.
  Pass newPass(int maxLanes) {
    return new Pass(this, maxLanes);
  }

  /// Sequences, laid out step after step: row `step * lanes + lane`.
  ///
  /// Hot path: allocates only when sequences are longer than any before.
  static final class Pass {
    private final SequenceEncoder encoder;
    private final int maxLanes;
    private int maxSteps;
    private int steps;
    private int lanes;
    private Rows input;
    private Rows encoded;
    private Rows encodedGradients;
    private Rnn.Pass pass;

    private Pass(SequenceEncoder encoder, int maxLanes) {
      this.encoder = encoder;
      this.maxLanes = maxLanes;
      this.maxSteps = 1;
      this.input = rows(encoder.layer.inputs());
      this.encoded = rows(encoder.layer.outputs());
      this.encodedGradients = rows(encoder.layer.outputs());
      this.pass = encoder.rnn.newPass(maxSteps, maxLanes);
    }

    private Rows rows(int width) {
      return Rows.zeros(Math.multiplyExact(maxSteps, maxLanes), width);
    }

    /// Makes room for `lanes` sequences of `steps` inputs, to be written to [#input()].
    void begin(int steps, int lanes) {
      this.steps = steps;
      this.lanes = lanes;
      if (steps > maxSteps) {
        maxSteps = steps;
        input = rows(encoder.layer.inputs());
        encoded = rows(encoder.layer.outputs());
        encodedGradients = rows(encoder.layer.outputs());
        pass = encoder.rnn.newPass(maxSteps, maxLanes);
      }
    }

    /// Returns where to write the inputs; every row must be written.
    Rows input() {
      return input;
    }

    void forward() {
      encoder.layer.forward(steps * lanes, input, encoded);
      pass.forward(steps, lanes, encoded);
    }

    Rows output() {
      return pass.output();
    }

    /// Returns where to add the gradients of [#output()], which [#forward] cleared.
    Rows outputGradient() {
      return pass.outputGradient();
    }

    void backward(float[] gradients) {
      pass.backward(encoded, encodedGradients, gradients);
      encoder.layer.backward(steps * lanes, input, encoded, encodedGradients, null, gradients);
    }
  }
}
