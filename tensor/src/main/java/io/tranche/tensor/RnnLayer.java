package io.tranche.tensor;

import io.tranche.tensor.kernels.Kernels;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One layer of an [Rnn]: a forward step for some rows, and the backward pass through a whole
/// sequence.
///
/// The sums of a row lie side by side: those that input and state share, then the input's own, then
/// the state's own (the last two only in a GRU).
final class RnnLayer {

  private static final Kernels KERNELS = Kernels.best();

  final RnnType type;
  final int inputs;
  final int hidden;

  /// Number of sums in a row.
  final int sums;

  private final int gates;
  private final int joint;
  private final Weights weights;
  private final Factor inputWeight;
  private final Factor stateWeight;
  private final Parameter inputBias;
  private final Parameter stateBias;
  private final float[] zeros;

  RnnLayer(Weights weights, String name, int index, RnnType type, int inputs, int hidden) {
    this.type = type;
    this.inputs = inputs;
    this.hidden = hidden;
    this.gates = type.gates * hidden;
    this.sums = type.sums * hidden;
    this.joint = type.joint() * hidden;
    this.weights = weights;
    this.inputWeight = weights.factor(name + ".weight_ih_l" + index, gates, inputs);
    this.stateWeight = weights.factor(name + ".weight_hh_l" + index, gates, hidden);
    this.inputBias = weights.vector(name + ".bias_ih_l" + index, gates);
    this.stateBias = weights.vector(name + ".bias_hh_l" + index, gates);
    this.zeros = new float[Math.max(inputs, hidden)];
  }

  void initialise(RandomGenerator random) {
    double bound = 1 / Math.sqrt(hidden);
    weights.fillUniform(inputWeight.parameter(), bound, random);
    weights.fillUniform(stateWeight.parameter(), bound, random);
    weights.fillUniform(inputBias, bound, random);
    weights.fillUniform(stateBias, bound, random);
  }

  void exclude() {
    inputWeight.parameter().exclude();
    stateWeight.parameter().exclude();
    inputBias.exclude();
    stateBias.exclude();
  }

  /// Writes the start of every row's sums: both biases where input and state share a sum.
  void bias(float[] bias) {
    float[] w = weights.values();
    System.arraycopy(w, inputBias.offset(), bias, 0, gates);
    KERNELS.axpy(joint, 1, w, stateBias.offset(), bias, 0);
    System.arraycopy(w, stateBias.offset() + joint, bias, gates, gates - joint);
  }

  /// Advances `rows` states by one step, writing block `to` of `trace`.
  ///
  /// @param x the inputs, from row `xFrom` on
  /// @param h the previous states, from `past` on, like those of `c`, which only an LSTM has; may
  ///   be the arrays that are written
  void step(int rows, Rows x, int xFrom, float[] h, float[] c, int past, RnnTrace trace, int to) {
    float[] s = trace.sums;
    float[] bias = trace.bias;
    int from = x.offset(xFrom);
    int at = trace.sumsAt(to);
    inputWeight.multiply(rows, 0, gates, x.data, from, x.stride, bias, 0, 0, s, at, sums);
    if (joint < gates && rows == 1) {
      addStateOfOneRow(h, past, trace, at);
    } else {
      stateWeight.multiply(rows, 0, joint, h, past, hidden, s, at, sums, s, at, sums);
      if (joint < gates) {
        int own = at + gates;
        stateWeight.multiply(rows, joint, hidden, h, past, hidden, bias, gates, 0, s, own, sums);
      }
    }
    for (int i = 0; i < rows; i++) {
      int before = past + i * hidden;
      int now = (to + i) * hidden;
      int sum = at + i * sums;
      switch (type) {
        case GRU -> KERNELS.gruForward(hidden, s, sum, h, before, trace.h, now);
        case LSTM -> KERNELS.lstmForward(hidden, s, sum, c, before, trace.c, now, trace.h, now);
        case RNN -> {
          KERNELS.tanh(hidden, s, sum);
          System.arraycopy(s, sum, trace.h, now, hidden);
        }
      }
    }
  }

  /// Adds the state's part to the sums of one row. The product takes all columns at once, because
  /// it is fastest when it reads the weights from the first to the last; so the input's own sums
  /// make room for the state's meanwhile.
  private void addStateOfOneRow(float[] h, int past, RnnTrace trace, int at) {
    float[] s = trace.sums;
    float[] aside = trace.aside;
    int own = gates - joint;
    System.arraycopy(s, at + joint, aside, 0, own);
    System.arraycopy(trace.bias, gates, s, at + joint, own);
    stateWeight.multiply(1, 0, gates, h, past, hidden, s, at, sums, s, at, sums);
    System.arraycopy(s, at + joint, s, at + gates, own);
    System.arraycopy(aside, 0, s, at + joint, own);
  }

  /// Backward pass through `steps` steps of `rows` rows: turns the sums in `trace` into their
  /// gradients and adds those of the weights to `gradients`.
  void backward(int steps, int rows, Rows x, RnnTrace trace, @Nullable Rows dx, float[] gradients) {
    Arrays.fill(trace.dc, 0, trace.dc.length, 0);
    for (int step = steps - 1; step > 0; step--) {
      int block = step * rows;
      backThroughCells(rows, trace, block, trace.h, trace.c, trace.dh, block - rows);
      backThroughState(rows, trace, block);
    }
    backThroughCells(rows, trace, 0, trace.initial, trace.initial, trace.discarded, 0);
    if (dx != null) {
      int count = steps * rows;
      float[] s = trace.sums;
      float[] w = weights.transposed();
      int at = inputWeight.parameter().offset();
      KERNELS.multiply(
          count, inputs, gates, s, 0, sums, 1, w, at, inputs, zeros, 0, 0, dx.data, dx.at,
          dx.stride);
    }
    addGradients(steps, rows, x, trace, gradients);
  }

  /// Turns one step's sums into their gradients; `before` is the row of the previous states.
  private void backThroughCells(
      int rows, RnnTrace trace, int block, float[] h, float[] c, float[] dPrevious, int before) {
    float[] s = trace.sums;
    float[] dh = trace.dh;
    for (int i = 0; i < rows; i++) {
      int now = (block + i) * hidden;
      int past = (before + i) * hidden;
      int sum = (block + i) * sums;
      switch (type) {
        case GRU -> KERNELS.gruBackward(hidden, s, sum, h, past, dh, now, dPrevious, past);
        case LSTM ->
            KERNELS.lstmBackward(
                hidden, s, sum, c, past, trace.c, now, dh, now, trace.dc, i * hidden);
        case RNN -> KERNELS.tanhBackward(hidden, s, sum, dh, now);
      }
    }
  }

  /// Carries the gradients of one step's sums back to the previous states.
  private void backThroughState(int rows, RnnTrace trace, int block) {
    float[] w = weights.transposed();
    float[] s = trace.sums;
    float[] dh = trace.dh;
    int u = stateWeight.parameter().offset();
    int at = block * sums;
    int before = (block - rows) * hidden;
    KERNELS.multiply(
        rows, hidden, joint, s, at, sums, 1, w, u, hidden, dh, before, hidden, dh, before, hidden);
    if (joint < gates) {
      int own = at + gates;
      int v = u + joint * hidden;
      KERNELS.multiply(
          rows, hidden, hidden, s, own, sums, 1, w, v, hidden, dh, before, hidden, dh, before,
          hidden);
    }
  }

  private void addGradients(int steps, int rows, Rows x, RnnTrace trace, float[] gradients) {
    float[] s = trace.sums;
    int count = steps * rows;
    int w = inputWeight.parameter().offset();
    KERNELS.multiply(
        inputs, gates, count, x.data, x.at, 1, x.stride, s, 0, sums, gradients, w, gates, gradients,
        w, gates);
    KERNELS.addRows(count, gates, s, 0, sums, gradients, inputBias.offset());
    KERNELS.addRows(count, joint, s, 0, sums, gradients, stateBias.offset());
    addStateGradients(count, rows, joint, trace, 0, stateWeight.parameter().offset(), gradients);
    if (joint < gates) {
      KERNELS.addRows(count, hidden, s, gates, sums, gradients, stateBias.offset() + joint);
      addStateGradients(
          count, rows, hidden, trace, gates, stateWeight.parameter().offset() + joint, gradients);
    }
  }

  /// The states before the first step are 0 and add nothing, unless its gradients are NaN, which
  /// must not get lost.
  private void addStateGradients(
      int count, int rows, int width, RnnTrace trace, int at, int u, float[] gradients) {
    addStateGradient(rows, width, trace.initial, trace, at, u, gradients);
    addStateGradient(count - rows, width, trace.h, trace, rows * sums + at, u, gradients);
  }

  private void addStateGradient(
      int count, int width, float[] before, RnnTrace trace, int at, int u, float[] gradients) {
    float[] s = trace.sums;
    KERNELS.multiply(
        hidden, width, count, before, 0, 1, hidden, s, at, sums, gradients, u, gates, gradients, u,
        gates);
  }
}
