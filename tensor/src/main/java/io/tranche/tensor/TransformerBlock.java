package io.tranche.tensor;

import java.util.random.RandomGenerator;

/// A block of a causal transformer: attention over earlier steps, then two linear layers, each with
/// a normalised input and a residual connection (pre-norm, Xiong et al., 2020).
///
/// The rows of one lane follow one another: row `lane * steps + step`. A step gives the same bits
/// alone, in a batch, and streamed.
///
/// Hot path: allocates only when a [Pass] or a [Stream] is made; any number of threads may share
/// the block, each with its own pass or stream.
public final class TransformerBlock {

  private final LayerNorm attentionNorm;
  private final Attention attention;
  private final Linear projection;
  private final LayerNorm forwardNorm;
  private final Linear widen;
  private final Linear narrow;
  private final int width;

  /// Adds `<prefix>attention.q_net.weight` and so on to `weights`.
  ///
  /// @param heads number of attention heads; must divide `width`
  /// @param inner width between the two linear layers
  public TransformerBlock(Weights weights, String prefix, int width, int heads, int inner) {
    attentionNorm = new LayerNorm(weights, prefix + "attention_norm", width);
    attention = Attention.scaled(weights, prefix + "attention.", width, width, heads);
    projection = Linear.plain(weights, prefix + "attention.out_net", width, width);
    forwardNorm = new LayerNorm(weights, prefix + "forward_norm", width);
    widen = Linear.withRelu(weights, prefix + "forward.0", width, inner);
    narrow = Linear.plain(weights, prefix + "forward.2", inner, width);
    this.width = width;
  }

  public void initialise(RandomGenerator random) {
    attentionNorm.initialise();
    attention.initialise(random);
    projection.initialise(random);
    forwardNorm.initialise();
    widen.initialise(random);
    narrow.initialise(random);
  }

  /// Buffers for whole sequences and the backward pass through them, for one thread.
  public Pass newPass(int maxSteps, int maxLanes) {
    return new Pass(maxSteps, maxLanes);
  }

  /// Memory for a sequence that grows step by step, for one thread.
  public Stream newStream(int maxSteps) {
    return new Stream(maxSteps);
  }

  /// Computes all but the attention: `middle` and `output` from `x` and the attention's result.
  private void finish(
      int count, Rows x, Rows found, Rows middle, Rows normed, Rows inner, Rows output) {
    projection.forward(count, found, middle);
    middle.add(count, width, x);
    forwardNorm.forward(count, middle, normed);
    widen.forward(count, normed, inner);
    narrow.forward(count, inner, output);
    output.add(count, width, middle);
  }

  /// What a forward pass keeps for the backward pass.
  public final class Pass {
    private final Attention.Pass pass;
    private final int[] visible;
    private final Rows normed;
    private final Rows middle;
    private final Rows normedMiddle;
    private final Rows inner;
    private final Rows output;
    private final Rows dNormed;
    private final Rows dKeys;
    private final Rows dValues;
    private final Rows dFound;
    private final Rows dMiddle;
    private final Rows dInner;
    private int rows;

    private Pass(int maxSteps, int maxLanes) {
      int maxRows = Math.multiplyExact(maxSteps, maxLanes);
      pass = attention.newPass(maxLanes, maxSteps, maxSteps);
      visible = new int[maxRows];
      normed = Rows.zeros(maxRows, width);
      middle = Rows.zeros(maxRows, width);
      normedMiddle = Rows.zeros(maxRows, width);
      inner = Rows.zeros(maxRows, widen.outputs());
      output = Rows.zeros(maxRows, width);
      dNormed = Rows.zeros(maxRows, width);
      dKeys = Rows.zeros(maxRows, width);
      dValues = Rows.zeros(maxRows, width);
      dFound = Rows.zeros(maxRows, width);
      dMiddle = Rows.zeros(maxRows, width);
      dInner = Rows.zeros(maxRows, widen.outputs());
    }

    /// Returns one row per step, valid until the next [#forward].
    public Rows output() {
      return output;
    }

    /// Runs `lanes` sequences of `steps` inputs.
    public void forward(int steps, int lanes, Rows x) {
      rows = steps * lanes;
      for (int i = 0; i < rows; i++) {
        visible[i] = i % steps + 1;
      }
      attentionNorm.forward(rows, x, normed);
      pass.forward(lanes, steps, steps, normed, normed, normed, visible);
      finish(rows, x, pass.output(), middle, normedMiddle, inner, output);
    }

    /// Backward pass of the last [#forward].
    ///
    /// @param x the inputs of [#forward]
    /// @param dy the gradient of [#output()]
    /// @param dx receives the gradient of `x`
    /// @param gradients laid out like the weights; this block's gradients are added to it
    public void backward(Rows x, Rows dy, Rows dx, float[] gradients) {
      narrow.backward(rows, inner, output, dy, dInner, gradients);
      widen.backward(rows, normedMiddle, inner, dInner, dNormed, gradients);
      forwardNorm.backward(rows, middle, dNormed, dMiddle, gradients);
      dMiddle.add(rows, width, dy);
      projection.backward(rows, pass.output(), middle, dMiddle, dFound, gradients);
      pass.backward(normed, normed, normed, dFound, dNormed, dKeys, dValues, gradients);
      dNormed.add(rows, width, dKeys);
      dNormed.add(rows, width, dValues);
      attentionNorm.backward(rows, x, dNormed, dx, gradients);
      dx.add(rows, width, dMiddle);
    }
  }

  /// A sequence that is fed one input at a time and remembers the keys and values of every step.
  public final class Stream {
    private final Attention.Memory memory;
    private final Rows normed = Rows.zeros(1, width);
    private final Rows middle = Rows.zeros(1, width);
    private final Rows inner = Rows.zeros(1, widen.outputs());
    private final Rows output = Rows.zeros(1, width);

    private Stream(int maxSteps) {
      memory = attention.newMemory(maxSteps);
    }

    /// Begins a new sequence.
    public void reset() {
      memory.reset();
    }

    /// Feeds row 0 of `x` and returns the block's output, valid until the next call.
    public Rows step(Rows x) {
      attentionNorm.forward(1, x, normed);
      memory.add(normed, normed);
      finish(1, x, memory.attend(normed), middle, normed, inner, output);
      return output;
    }
  }
}
