package io.tranche.tensor.layer;

import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A part of a network that maps sequences of rows to sequences of rows: the output at a step
/// depends only on the inputs up to that step. [Layers] has the built-in ones and composes them; a
/// layer of your own implements [RowLayer], or this if it looks at earlier steps.
///
/// Sequences are laid out step after step: row `step * lanes + lane`. A lane gives the same bits
/// alone, in a batch, or streamed.
///
/// A layer only reads its weights: any number of threads may share it, each with its own pass or
/// stream.
public interface Layer {

  /// Makes a layer.
  @FunctionalInterface
  interface Factory {

    /// Adds the layer's parameters to `weights`, each with a name that begins with `name` and a
    /// dot.
    ///
    /// @param inputs width of its input
    /// @throws IllegalArgumentException if the layer cannot take inputs of this width
    Layer create(Weights weights, String name, int inputs);
  }

  /// Returns the width of the output.
  int outputs();

  /// Returns the longest sequence it can take.
  default int maxSteps() {
    return Integer.MAX_VALUE;
  }

  /// Draws all weights; a layer without weights has nothing to do.
  default void initialise(RandomGenerator random) {}

  /// Buffers for whole sequences and the backward pass through them, for one thread.
  Pass newPass(int maxSteps, int maxLanes);

  /// A sequence that grows step by step, for one thread.
  Stream newStream(int maxSteps);

  /// Forward and backward pass through a batch of sequences. Hot path: allocates nothing.
  interface Pass {

    /// Says whether the next [#forward] is for training, in which dropout drops. At first it is
    /// not.
    default void training(boolean on) {}

    /// Maps `lanes` sequences of `steps` rows of `x` to rows of `y`.
    void forward(int steps, int lanes, Rows x, Rows y);

    /// Backward pass of the last [#forward], once, given the same `x` and `y`.
    ///
    /// @param dy the gradient of `y`; may be overwritten
    /// @param dx receives the gradient of `x`; null if it is not needed
    /// @param gradients laid out like the weights; this layer's gradients are added to it
    void backward(Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients);
  }

  /// A growing sequence. Hot path: allocates nothing.
  @FunctionalInterface
  interface Stream {

    /// Maps row 0 of `x`, the next step, to row 0 of `y`.
    void step(Rows x, Rows y);
  }
}
