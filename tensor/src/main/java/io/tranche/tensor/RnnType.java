package io.tranche.tensor;

/// Torch's recurrent cells, with torch's order of gates.
public enum RnnType {
  /// A plain tanh of the input's and the state's sum.
  RNN(1, 1),
  /// Gates i, f, g, o.
  LSTM(4, 4),
  /// Gates r, z, n; n keeps the state's sum apart, because r multiplies it.
  GRU(3, 4);

  /// Number of sums that the input's weights give.
  final int gates;

  /// Number of sums a cell needs: the last of a GRU belongs to the state alone.
  final int sums;

  RnnType(int gates, int sums) {
    this.gates = gates;
    this.sums = sums;
  }

  /// Returns the number of sums that take both the input's and the state's part.
  int joint() {
    return 2 * gates - sums;
  }
}
