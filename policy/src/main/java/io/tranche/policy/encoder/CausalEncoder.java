package io.tranche.policy.encoder;

import io.tranche.tensor.Rows;
import java.util.random.RandomGenerator;

/// Encodes sequences: the output at a step depends only on the inputs up to that step, and has the
/// same bits whatever other sequences are in the batch.
public interface CausalEncoder {

  /// Returns the width of an input.
  int inputs();

  /// Returns the width of the output at a step.
  int outputs();

  void initialise(RandomGenerator random);

  /// Buffers for sequences and the backward pass through them, for one thread.
  Pass newPass(int maxLanes);

  /// Buffers for sequences that are only read, for one thread; there is no backward pass.
  default Pass newForwardPass(int maxLanes) {
    return newPass(maxLanes);
  }

  /// Buffers for sequences that grow step by step, for one thread.
  Streams newStreams();

  /// Growing sequences and the buffers they share.
  @FunctionalInterface
  interface Streams {

    /// Begins a sequence of at most `maxSteps` inputs.
    Stream begin(int maxSteps);
  }

  /// One growing sequence, with the same outputs as in a [Pass]. Hot path: allocates nothing.
  interface Stream {

    /// Appends the next input, which begins at `at` in `data`.
    void append(float[] data, int at);

    /// Copies the output at the newest step to `target`, from `at` on.
    void copyOutput(float[] target, int at);
  }

  /// A batch of sequences. Hot path: allocates only when sequences are the longest so far.
  interface Pass {

    /// Says whether the next [#forward] is for training, in which dropout drops. At first it is
    /// not.
    default void training(boolean on) {}

    /// Makes room for `lanes` sequences of `steps` inputs, to be written to [#input()].
    void begin(int steps, int lanes);

    /// Returns the row of a lane's step in all [Rows] of this pass.
    int row(int step, int lane);

    /// Returns where to write the inputs; every row must be written.
    Rows input();

    void forward();

    /// Returns the output at each step, valid until the next [#forward].
    Rows output();

    /// Returns where to add the gradients of [#output()], which [#forward] cleared.
    Rows outputGradient();

    /// Runs the backward pass of the last [#forward], once.
    ///
    /// @param gradients laid out like the weights; the encoder's gradients are added to it
    void backward(float[] gradients);
  }
}
