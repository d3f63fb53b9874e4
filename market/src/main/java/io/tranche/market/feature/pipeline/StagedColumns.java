package io.tranche.market.feature.pipeline;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The columns of a [StagedFile], mapped into memory: each is read several times, and opening and
/// mapping a file costs as much as reading a column of it.
///
/// @param values column after column
record StagedColumns(StagedFile.Header header, MemorySegment values) {

  private static final ValueLayout.OfFloat LITTLE =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// Reads rows of a column, from the row `from` on, to all of `target`.
  void read(int column, int from, float[] target) {
    long offset = ((long) column * header.rows() + from) * Float.BYTES;
    MemorySegment.copy(values, LITTLE, offset, target, 0, target.length);
  }
}
