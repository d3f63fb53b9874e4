package io.tranche.tensor;

/// What one [RnnLayer] keeps of a sequence, row by row, step by step.
final class RnnTrace {

  /// The start of every row's sums.
  final float[] bias;

  /// The sums, then the gates; in the backward pass the gradients of the sums. Those of the latest
  /// step alone if there is no backward pass.
  final float[] sums;

  private final int sumsPerRow; // 0 if there is no backward pass

  /// Where the input's own sums of a row are put aside.
  final float[] aside;

  final float[] h;

  /// Empty unless the cell is an LSTM.
  final float[] c;

  /// The gradients of `h`; the backward pass adds those from the next step.
  final float[] dh;

  /// The gradient of the `c` that the backward pass reaches next.
  final float[] dc;

  /// The states before the first step: zeros.
  final float[] initial;

  /// The gradient of the states before the first step, which is not needed.
  final float[] discarded;

  /// @param backward whether a backward pass will follow
  RnnTrace(RnnLayer layer, int steps, int rows, boolean backward) {
    int states = rows * layer.hidden;
    int all = Math.multiplyExact(steps, states);
    boolean lstm = layer.type == RnnType.LSTM;
    bias = new float[layer.sums];
    int kept = backward ? steps : 1;
    sums = new float[Math.multiplyExact(Math.multiplyExact(kept, rows), layer.sums)];
    sumsPerRow = backward ? layer.sums : 0;
    aside = new float[layer.hidden];
    h = new float[all];
    c = new float[lstm ? all : 0];
    dh = new float[backward ? all : 0];
    dc = new float[lstm && backward ? states : 0];
    initial = new float[states];
    discarded = new float[backward ? states : 0];
  }

  /// Returns where the sums of the rows from `row` on begin.
  int sumsAt(int row) {
    return row * sumsPerRow;
  }
}
