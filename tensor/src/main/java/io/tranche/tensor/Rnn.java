package io.tranche.tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A stack of recurrent layers with torch's conventions: both biases, initial state 0.
///
/// Sequences are laid out step after step: row `step * batch + lane`. A lane gives the same bits
/// alone, in a batch, or streamed.
///
/// Hot path: allocates only when a [Pass] or a [Stream] is made; any number of threads may share
/// the layers, each with its own pass or stream.
public final class Rnn {

  private final Weights weights;
  private final RnnLayer[] layers;
  private final int hidden;

  /// Adds `name.weight_ih_l0` and so on to `weights`.
  ///
  /// @param depth number of layers
  public Rnn(Weights weights, String name, RnnType type, int inputs, int hidden, int depth) {
    if (depth < 1) {
      throw new IllegalArgumentException("depth must be at least 1, was " + depth);
    }
    this.weights = weights;
    this.hidden = hidden;
    var made = new ArrayList<RnnLayer>();
    for (int i = 0; i < depth; i++) {
      made.add(new RnnLayer(weights, name, i, type, i == 0 ? inputs : hidden, hidden));
    }
    layers = made.toArray(RnnLayer[]::new);
  }

  public int hidden() {
    return hidden;
  }

  /// Draws all weights like torch: uniformly within `±1 / sqrt(hidden)`.
  public void initialise(RandomGenerator random) {
    for (RnnLayer layer : layers) {
      layer.initialise(random);
    }
  }

  /// Excludes all weights from optimisation.
  public void exclude() {
    for (RnnLayer layer : layers) {
      layer.exclude();
    }
  }

  /// Buffers for whole sequences and the backward pass through them, for one thread.
  public Pass newPass(int maxSteps, int maxBatch) {
    return new Pass(traces(maxSteps, maxBatch, true), maxSteps, maxBatch, true);
  }

  /// Buffers for whole sequences without a backward pass, for one thread: of the sums only those of
  /// one step are kept.
  public Pass newForwardPass(int maxSteps, int maxBatch) {
    return new Pass(traces(maxSteps, maxBatch, false), maxSteps, maxBatch, false);
  }

  /// The states of `lanes` sequences that grow step by step, all 0 at first, for one thread.
  public Stream newStream(int lanes) {
    return new Stream(traces(1, lanes, false));
  }

  private List<RnnTrace> traces(int steps, int rows, boolean backward) {
    return Arrays.stream(layers).map(layer -> new RnnTrace(layer, steps, rows, backward)).toList();
  }

  /// What a forward pass keeps for its reader and for the backward pass.
  public final class Pass {
    private final RnnTrace[] traces;
    private final int maxSteps;
    private final int maxBatch;
    private final Rows[] outputs;
    private final Rows[] outputGradients;
    private final boolean backward;
    private int steps;
    private int batch;

    private Pass(List<RnnTrace> traces, int maxSteps, int maxBatch, boolean backward) {
      this.traces = traces.toArray(RnnTrace[]::new);
      this.maxSteps = maxSteps;
      this.maxBatch = maxBatch;
      this.backward = backward;
      this.outputs = traces.stream().map(each -> Rows.of(each.h, hidden)).toArray(Rows[]::new);
      this.outputGradients =
          traces.stream().map(each -> Rows.of(each.dh, hidden)).toArray(Rows[]::new);
    }

    /// Returns the last layer's states, row `step * batch + lane`, valid until the next [#forward].
    public Rows output() {
      return outputs[outputs.length - 1];
    }

    /// Returns where to add the gradients of [#output()]; [#forward] clears it, [#backward]
    /// overwrites it.
    public Rows outputGradient() {
      return outputGradients[outputs.length - 1];
    }

    /// Runs `batch` sequences of `steps` inputs.
    public void forward(int steps, int batch, Rows x) {
      if (steps < 1 || steps > maxSteps || batch < 1 || batch > maxBatch) {
        throw new IllegalArgumentException(
            "steps x batch must be within 1 .. %d x %d, was %d x %d"
                .formatted(maxSteps, maxBatch, steps, batch));
      }
      this.steps = steps;
      this.batch = batch;
      Rows in = x;
      for (int i = 0; i < layers.length; i++) {
        forward(layers[i], traces[i], in);
        in = outputs[i];
      }
      if (backward) {
        Arrays.fill(outputGradient().data, 0, steps * batch * hidden, 0);
      }
    }

    private void forward(RnnLayer layer, RnnTrace trace, Rows in) {
      layer.bias(trace.bias);
      layer.step(batch, in, 0, trace.initial, trace.initial, 0, trace, 0);
      for (int row = batch; row < steps * batch; row += batch) {
        layer.step(batch, in, row, trace.h, trace.c, (row - batch) * hidden, trace, row);
      }
    }

    /// Runs the backward pass of the last [#forward], once.
    ///
    /// @param x the inputs of [#forward]
    /// @param dx receives the gradient of `x`; null if it is not needed
    /// @param gradients laid out like the weights; these layers' gradients are added to it
    /// @throws IllegalStateException if the pass was made for forward passes only
    public void backward(Rows x, @Nullable Rows dx, float[] gradients) {
      if (!backward) {
        throw new IllegalStateException("pass must be made for a backward pass, was not");
      }
      for (int i = layers.length - 1; i > 0; i--) {
        layers[i].backward(
            steps, batch, outputs[i - 1], traces[i], outputGradients[i - 1], gradients);
      }
      layers[0].backward(steps, batch, x, traces[0], dx, gradients);
    }
  }

  /// States of lanes that are fed one input at a time.
  public final class Stream {
    private final RnnTrace[] traces;
    private final Rows[] outputs;

    /// The version of the weights that the biases in the traces are from.
    private long version = -1;

    private Stream(List<RnnTrace> traces) {
      this.traces = traces.toArray(RnnTrace[]::new);
      this.outputs = traces.stream().map(each -> Rows.of(each.h, hidden)).toArray(Rows[]::new);
    }

    /// Returns the last layer's states, one row per lane.
    public Rows output() {
      return outputs[outputs.length - 1];
    }

    /// Returns the number of floats in a lane's state.
    public int stateSize() {
      return traces.length * hidden * (traces[0].c.length > 0 ? 2 : 1);
    }

    /// Returns the offset of [#output()] in a saved state.
    public int lastLayer() {
      return stateSize() - stateSize() / traces.length;
    }

    /// Copies the state of `lane` to `target`, from `at` on.
    public void save(int lane, float[] target, int at) {
      int to = at;
      for (RnnTrace trace : traces) {
        System.arraycopy(trace.h, lane * hidden, target, to, hidden);
        to += hidden;
        if (trace.c.length > 0) {
          System.arraycopy(trace.c, lane * hidden, target, to, hidden);
          to += hidden;
        }
      }
    }

    /// Restores the state of `lane` that was saved to `source` at `at`.
    public void restore(int lane, float[] source, int at) {
      int from = at;
      for (RnnTrace trace : traces) {
        System.arraycopy(source, from, trace.h, lane * hidden, hidden);
        from += hidden;
        if (trace.c.length > 0) {
          System.arraycopy(source, from, trace.c, lane * hidden, hidden);
          from += hidden;
        }
      }
    }

    /// Sets the states of `count` lanes from lane `first` on to 0.
    public void reset(int first, int count) {
      for (RnnTrace trace : traces) {
        Arrays.fill(trace.h, first * hidden, (first + count) * hidden, 0);
        if (trace.c.length > 0) {
          Arrays.fill(trace.c, first * hidden, (first + count) * hidden, 0);
        }
      }
    }

    /// Feeds one input to each of `count` lanes from lane `first` on.
    ///
    /// @param x one row per lane: the input of lane `i` is in row `i`
    public void step(int first, int count, Rows x) {
      if (version != weights.version()) {
        version = weights.version();
        for (int i = 0; i < layers.length; i++) {
          layers[i].bias(traces[i].bias);
        }
      }
      Rows in = x;
      for (int i = 0; i < layers.length; i++) {
        RnnTrace trace = traces[i];
        layers[i].step(count, in, first, trace.h, trace.c, first * hidden, trace, first);
        in = outputs[i];
      }
    }
  }
}
