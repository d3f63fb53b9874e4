package io.tranche.policy.encoder;

import io.tranche.tensor.Rows;
import java.util.random.RandomGenerator;

/// Encodes sequences: what it gives at a step depends on the inputs up to that step and on nothing
/// else, and has the same bits whatever other sequences are encoded beside it.
public interface CausalEncoder {

  /// Returns how many numbers an input has.
  int inputs();

  /// Returns how many numbers it gives at a step.
  int outputs();

  void initialise(RandomGenerator random);

  /// Buffers for sequences and the backward pass through them, for one thread.
  Pass newPass(int maxLanes);

  /// Buffers for sequences that grow step by step, for one thread.
  Streams newStreams();

  /// Sequences that grow, and what they share.
  @FunctionalInterface
  interface Streams {

    /// Begins a sequence of at most `maxSteps` inputs.
    Stream begin(int maxSteps);
  }

  /// One sequence that grows: it gives the same bits as a [Pass]. Hot path: allocates nothing.
  interface Stream {

    /// Takes the next input, from `at` on in `data`.
    void append(float[] data, int at);

    /// Copies what was given at the newest step to `target`, from `at` on.
    void copyOutput(float[] target, int at);
  }

  /// Sequences side by side. Hot path: allocates only when sequences are longer than any before.
  interface Pass {

    /// Makes room for `lanes` sequences of `steps` inputs, to be written to [#input()].
    void begin(int steps, int lanes);

    /// Returns the row of a step of a lane, in all rows that follow.
    int row(int step, int lane);

    /// Returns where to write the inputs; every row must be written.
    Rows input();

    void forward();

    /// Returns what was given at each step, valid until the next [#forward].
    Rows output();

    /// Returns where to add the gradients of [#output()], which [#forward] cleared.
    Rows outputGradient();

    /// Runs the backward pass of the last [#forward], once.
    ///
    /// @param gradients laid out as the weights; what the encoder adds is added to it
    void backward(float[] gradients);
  }
}
