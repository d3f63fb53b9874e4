package io.tranche.policy.encoder;

import io.tranche.market.DataException;
import io.tranche.tensor.LayerNorm;
import io.tranche.tensor.Linear;
import io.tranche.tensor.Positions;
import io.tranche.tensor.Rows;
import io.tranche.tensor.TransformerBlock;
import io.tranche.tensor.Weights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// A linear layer, a position for each tick, causal transformer blocks, and a norm.
public final class TransformerEncoder implements CausalEncoder {

  private final Linear layer;
  private final Positions positions;
  private final List<TransformerBlock> blocks = new ArrayList<>();
  private final LayerNorm norm;

  /// @param ticks maximum number of ticks in a day
  /// @param inner width between the two linear layers of a block
  public TransformerEncoder(
      Weights weights,
      String prefix,
      int inputs,
      int hidden,
      int ticks,
      int depth,
      int heads,
      int inner) {
    layer = Linear.plain(weights, prefix + "fc.0", inputs, hidden);
    // One more than there are ticks: the row of zeros comes first.
    positions = new Positions(weights, prefix + "positions", ticks + 1, hidden);
    for (int i = 0; i < depth; i++) {
      String name = "%sblocks.%d.".formatted(prefix, i);
      blocks.add(new TransformerBlock(weights, name, hidden, heads, inner));
    }
    norm = new LayerNorm(weights, prefix + "norm", hidden);
  }

  @Override
  public int inputs() {
    return layer.inputs();
  }

  @Override
  public int outputs() {
    return layer.outputs();
  }

  @Override
  public void initialise(RandomGenerator random) {
    layer.initialise(random);
    positions.initialise(random);
    blocks.forEach(block -> block.initialise(random));
    norm.initialise();
  }

  @Override
  public Pass newPass(int maxLanes) {
    return new TransformerPass(maxLanes);
  }

  @Override
  public Streams newStreams() {
    return TransformerStream::new;
  }

  /// A sequence whose blocks remember the keys and values of all its steps.
  private final class TransformerStream implements Stream {
    private final TransformerBlock.Stream[] streams;
    private final Rows input = Rows.zeros(1, inputs());
    private final Rows placed = Rows.zeros(1, outputs());
    private final Rows output = Rows.zeros(1, outputs());
    private int step;

    TransformerStream(int maxSteps) {
      requirePlaces(maxSteps);
      streams =
          blocks.stream()
              .map(block -> block.newStream(maxSteps))
              .toArray(TransformerBlock.Stream[]::new);
    }

    @Override
    public void append(float[] data, int at) {
      System.arraycopy(data, at, input.data(), 0, inputs());
      layer.forward(1, input, placed);
      positions.add(step++, placed, 0);
      Rows in = placed;
      for (TransformerBlock.Stream stream : streams) {
        in = stream.step(in);
      }
      norm.forward(1, in, output);
    }

    @Override
    public void copyOutput(float[] target, int at) {
      System.arraycopy(output.data(), 0, target, at, outputs());
    }
  }

  private void requirePlaces(int steps) {
    if (steps > positions.places()) {
      throw new DataException(
          "a day for this transformer",
          "at most %d ticks, its setting `ticks`".formatted(positions.places() - 1),
          steps - 1);
    }
  }

  /// Sequences, laid out one after the other.
  private final class TransformerPass implements Pass {
    private final int maxLanes;
    private int maxSteps;
    private int steps;
    private int lanes;
    private Rows input;

    /// The input of the first block.
    private Rows placed;

    private Rows output;
    private Rows outputGradient;
    private Rows before;
    private Rows behind;
    private final TransformerBlock.Pass[] passes = new TransformerBlock.Pass[blocks.size()];

    TransformerPass(int maxLanes) {
      this.maxLanes = maxLanes;
      grow(1);
    }

    private void grow(int toSteps) {
      maxSteps = toSteps;
      input = rows(inputs());
      placed = rows(outputs());
      output = rows(outputs());
      outputGradient = rows(outputs());
      before = rows(outputs());
      behind = rows(outputs());
      for (int i = 0; i < passes.length; i++) {
        passes[i] = blocks.get(i).newPass(maxSteps, maxLanes);
      }
    }

    private Rows rows(int width) {
      return Rows.zeros(Math.multiplyExact(maxSteps, maxLanes), width);
    }

    @Override
    public void begin(int steps, int lanes) {
      requirePlaces(steps);
      this.steps = steps;
      this.lanes = lanes;
      if (steps > maxSteps) {
        grow(steps);
      }
    }

    @Override
    public int row(int step, int lane) {
      return lane * steps + step;
    }

    @Override
    public Rows input() {
      return input;
    }

    @Override
    public void forward() {
      int rows = steps * lanes;
      layer.forward(rows, input, placed);
      positions.forward(lanes, steps, placed);
      for (int i = 0; i < passes.length; i++) {
        passes[i].forward(steps, lanes, into(i));
      }
      norm.forward(rows, into(passes.length), output);
      Arrays.fill(outputGradient.data(), 0, rows * outputs(), 0);
    }

    /// Returns the input of block `i`, or of the norm after the last block.
    private Rows into(int i) {
      return i == 0 ? placed : passes[i - 1].output();
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
      int rows = steps * lanes;
      norm.backward(rows, into(passes.length), outputGradient, behind, gradients);
      for (int i = passes.length - 1; i >= 0; i--) {
        passes[i].backward(into(i), behind, before, gradients);
        Rows spent = behind;
        behind = before;
        before = spent;
      }
      positions.backward(lanes, steps, behind, gradients);
      layer.backward(rows, input, placed, behind, null, gradients);
    }
  }
}
