package io.tranche.market.feature.pipeline;

import java.util.List;

/// The values of some columns, one column after another, each over all instruments: the order in
/// which NumPy sees the block that Qlib fits its statistics to.
final class StagedGroup implements FloatStream {

  private final List<StagedFile> instruments;
  private final int fromRow;
  private final int toRow;
  private int column;
  private int instrument = -1;
  private float[] values = {};
  private int next;

  /// @param fromRow the first row of the fit window, and `toRow` the one after its last
  StagedGroup(List<StagedFile> instruments, int firstColumn, int fromRow, int toRow) {
    this.instruments = instruments;
    this.column = firstColumn;
    this.fromRow = fromRow;
    this.toRow = toRow;
  }

  @Override
  public float next() {
    if (next == values.length) {
      if (++instrument == instruments.size()) {
        instrument = 0;
        column++;
      }
      values = instruments.get(instrument).column(column, fromRow, toRow);
      next = 0;
    }
    return values[next++];
  }
}
