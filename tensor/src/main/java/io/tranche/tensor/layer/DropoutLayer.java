package io.tranche.tensor.layer;

import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Drops numbers in training.
///
/// What is dropped from a row follows from the row and from all weights. So it changes with every
/// update, and depends neither on the number of threads nor on where a run was resumed.
final class DropoutLayer implements Layer {

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final Weights weights;
  private final int width;
  private final float scale;

  /// A draw below this, out of 2^32, drops.
  private final long limit;

  private final long salt;

  DropoutLayer(Weights weights, String name, int width, double rate) {
    this.weights = weights;
    this.width = width;
    this.scale = (float) (1 / (1 - rate));
    this.limit = (long) (rate * 0x1p32);
    this.salt = name.hashCode();
  }

  @Override
  public int outputs() {
    return width;
  }

  @Override
  public Pass newPass(int maxSteps, int maxLanes) {
    return new DropoutPass();
  }

  @Override
  public Stream newStream(int maxSteps) {
    return (x, y) -> y.copyRow(0, width, x, 0);
  }

  private static long mixed(long hash, long value) {
    long z = (hash ^ value) * GOLDEN;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    return z ^ (z >>> 31);
  }

  private final class DropoutPass implements Pass {
    private boolean training;
    private boolean dropped;
    private int count;
    private long version = -1;
    private long seed;

    @Override
    public void training(boolean on) {
      training = on;
    }

    @Override
    public void forward(int steps, int lanes, Rows x, Rows y) {
      count = steps * lanes;
      dropped = training;
      for (int i = 0; i < count; i++) {
        y.copyRow(i, width, x, i);
      }
      if (dropped) {
        if (version != weights.version()) {
          version = weights.version();
          seed = mixed(salt, Arrays.hashCode(weights.values()));
        }
        for (int i = 0; i < count; i++) {
          drop(x, y, i);
        }
      }
    }

    /// Applies the mask of row `i` of `x` to the same row of `target`.
    private void drop(Rows x, Rows target, int i) {
      long draw = seed;
      int from = x.offset(i);
      for (int j = 0; j < width; j++) {
        draw = mixed(draw, Float.floatToRawIntBits(x.data()[from + j]));
      }
      int at = target.offset(i);
      for (int j = 0; j < width; j++) {
        draw += GOLDEN;
        boolean drops = mixed(draw, j) >>> 32 < limit;
        target.data()[at + j] = drops ? 0 : scale * target.data()[at + j];
      }
    }

    @Override
    public void backward(Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients) {
      for (int i = 0; dx != null && i < count; i++) {
        dx.copyRow(i, width, dy, i);
        if (dropped) {
          drop(x, dx, i);
        }
      }
    }
  }
}
