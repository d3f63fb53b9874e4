package io.tranche.market.store;

import io.tranche.market.Calendar;
import io.tranche.market.expression.evaluation.Column;
import java.util.BitSet;
import java.util.List;

/// Which bars of a range have a row in at least one column: the outer join of the columns.
final class Presence {

  private final int start;
  private final BitSet bars;
  private final int length;

  Presence(int start, int end) {
    this.start = start;
    this.length = end - start + 1;
    this.bars = new BitSet(length);
  }

  /// Adds calendar indices `first` to `end`, the latter exclusive, as far as they lie in the range.
  void add(int first, int end) {
    int from = Math.clamp((long) first - start, 0, length);
    int to = Math.clamp((long) end - start, from, length);
    bars.set(from, to);
  }

  void add(Column column) {
    if (column.isContiguous()) {
      if (column.size() > 0) {
        add(column.index(0), column.index(0) + column.size());
      }
      return;
    }
    for (int row = 0; row < column.size(); row++) {
      bars.set(column.index(row) - start);
    }
  }

  /// Drops the bars outside all of `spans`.
  void keep(List<Span> spans, Calendar calendar) {
    var listed = new BitSet(length);
    for (Span span : spans) {
      int from = Math.clamp((long) calendar.ceiling(span.start()) - start, 0, length);
      int to = Math.clamp(calendar.floor(span.end()) + 1L - start, from, length);
      listed.set(from, to);
    }
    bars.and(listed);
  }

  /// Returns the remaining rows of `columns`, which begin at the start of the range.
  FeatureRows rows(String instrument, Calendar calendar, List<String> texts, float[][] columns) {
    int size = bars.cardinality();
    int first = Math.max(bars.nextSetBit(0), 0);
    boolean contiguous = size == 0 || bars.length() - first == size;
    if (size == length) {
      return new FeatureRows(instrument, calendar, texts, start, null, size, columns);
    }
    int[] kept = bars.stream().toArray();
    float[][] compact = new float[columns.length][size];
    for (int column = 0; column < columns.length; column++) {
      if (contiguous) {
        System.arraycopy(columns[column], first, compact[column], 0, size);
      } else {
        for (int row = 0; row < size; row++) {
          compact[column][row] = columns[column][kept[row]];
        }
      }
    }
    for (int row = 0; row < size; row++) {
      kept[row] += start;
    }
    return new FeatureRows(
        instrument, calendar, texts, start + first, contiguous ? null : kept, size, compact);
  }
}
