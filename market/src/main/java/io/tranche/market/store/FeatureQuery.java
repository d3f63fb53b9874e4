package io.tranche.market.store;

import io.tranche.market.Calendar;
import io.tranche.market.expression.Expression;
import io.tranche.market.expression.Expression.Field;
import io.tranche.market.expression.evaluation.Column;
import io.tranche.market.expression.evaluation.ExpressionPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Expressions over one period, ready to be evaluated for one instrument after another.
///
/// Safe to use from several threads.
public final class FeatureQuery {

  private final StoreLayout layout;
  private final Calendar calendar;
  private final List<String> texts;
  private final int start; // calendar indices, both inclusive; start > end if the range is empty
  private final int end;
  private final @Nullable String[] fields; // for expressions that are just a field
  private final int[] composed; // the numbers of the expressions that are more than a field
  private final @Nullable ExpressionPlan plan; // of these

  FeatureQuery(StoreLayout layout, Calendar calendar, List<String> texts, long start, long end) {
    this.layout = layout;
    this.calendar = calendar;
    this.texts = List.copyOf(texts);
    this.start = calendar.ceiling(start);
    this.end = calendar.floor(end);
    this.fields = new String[texts.size()];
    var expressions = new ArrayList<Expression>();
    var numbers = new ArrayList<Integer>();
    for (int i = 0; i < fields.length; i++) {
      Expression expression = Expression.parse(texts.get(i));
      if (expression instanceof Field(var name)) {
        fields[i] = name;
      } else {
        expressions.add(expression);
        numbers.add(i);
      }
    }
    this.composed = numbers.stream().mapToInt(Integer::intValue).toArray();
    this.plan =
        expressions.isEmpty() || this.start > this.end
            ? null
            : new ExpressionPlan(calendar, expressions, this.start, this.end);
  }

  /// Returns the rows of `instrument`; none if it has no data in the range.
  ///
  /// @throws io.tranche.market.DataException if its files are damaged or do not allow an operation
  public FeatureRows rows(String instrument) {
    return rows(instrument, List.of(new Span(Long.MIN_VALUE, Long.MAX_VALUE)));
  }

  /// Returns the rows of `instrument` that lie within one of `spans`.
  public FeatureRows rows(String instrument, List<Span> spans) {
    if (start > end) {
      return new FeatureRows(instrument, calendar, texts, 0, null, 0, new float[fields.length][0]);
    }
    var presence = new Presence(start, end);
    float[][] columns = columns(instrument, presence);
    presence.keep(spans, calendar);
    return presence.rows(instrument, calendar, texts, columns);
  }

  /// Returns the values of `instrument` at all bars of the period.
  ///
  /// @throws io.tranche.market.DataException as for [#rows]
  public Whole whole(String instrument) {
    var presence = new Presence(start, end);
    float[][] columns = columns(instrument, presence);
    return new Whole(presence.first(), presence.last(), columns);
  }

  /// The values of one instrument at all bars of the period.
  public static final class Whole {

    private final int first;
    private final int last;
    private final float[][] columns;

    private Whole(int first, int last, float[][] columns) {
      this.first = first;
      this.last = last;
      this.columns = columns;
    }

    /// Returns the calendar index of the first bar with a row, -1 if there is none.
    public int first() {
      return first;
    }

    /// Returns the calendar index of the last bar with a row, -1 if there is none.
    public int last() {
      return last;
    }

    /// Returns one column per expression, NaN where it has no value. They belong to the caller.
    public float[][] columns() {
      return columns;
    }
  }

  private float[][] columns(String instrument, Presence presence) {
    float[][] columns = new float[fields.length][end - start + 1];
    try (var bins = new InstrumentBins(layout, instrument, calendar.frequency(), calendar.size())) {
      for (int i = 0; i < columns.length; i++) {
        String field = fields[i];
        if (field != null) {
          read(bins, field, columns[i], presence);
        }
      }
      if (plan != null) {
        plan.evaluate(
            instrument,
            bins,
            (number, column) -> {
              float[] target = columns[composed[number]];
              Arrays.fill(target, Float.NaN);
              column.narrow(target, start);
              presence.add(column);
            });
      }
    }
    return columns;
  }

  private void read(InstrumentBins bins, String field, float[] target, Presence presence) {
    BinFile file = bins.file(field);
    if (file == null) {
      Arrays.fill(target, Float.NaN);
    } else {
      file.copy(start, target, 0, target.length);
      presence.add(file.first(), file.end());
    }
  }

  /// Which bars of a range have a row in at least one column: the outer join of the columns.
  private static final class Presence {

    private final int start;
    private final BitSet bars;
    private final int length;

    Presence(int start, int end) {
      this.start = start;
      this.length = end - start + 1;
      this.bars = new BitSet(length);
    }

    /// Adds calendar indices `first` to `end`, the latter exclusive, as far as they lie in the
    /// range.
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

    /// Returns the calendar index of the first bar with a row, -1 if there is none.
    int first() {
      return bars.isEmpty() ? -1 : start + bars.nextSetBit(0);
    }

    /// Returns the calendar index of the last bar with a row, -1 if there is none.
    int last() {
      return bars.isEmpty() ? -1 : start + bars.length() - 1;
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
}
