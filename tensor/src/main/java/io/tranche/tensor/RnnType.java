package io.tranche.tensor;

/// The recurrent cells torch knows, with its order of gates.
public enum RnnType {
  /// A plain tanh of both sums.
  RNN(1, 1),
  /// Gates i, f, g, o.
  LSTM(4, 4),
  /// Gates r, z, n; n keeps the state's sum apart, because r multiplies it.
  GRU(3, 4);

  /// How many sums the weights of the input give.
  final int gates;

  /// How many sums a cell needs: the last of a GRU belongs to the state alone.
  final int sums;

  RnnType(int gates, int sums) {
    this.gates = gates;
    this.sums = sums;
  }

  /// How many sums take both the input's and the state's part.
  int joint() {
    return 2 * gates - sums;
  }
}
