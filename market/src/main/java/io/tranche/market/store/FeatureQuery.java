package io.tranche.market.store;

import io.tranche.market.Calendar;
import io.tranche.market.expression.Expression;
import io.tranche.market.expression.Expression.Field;
import io.tranche.market.expression.evaluation.Column;
import io.tranche.market.expression.evaluation.ExpressionPlan;
import java.util.ArrayList;
import java.util.Arrays;
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
  private final @Nullable ExpressionPlan plan; // the expressions that are more than a field

  FeatureQuery(StoreLayout layout, Calendar calendar, List<String> texts, long start, long end) {
    this.layout = layout;
    this.calendar = calendar;
    this.texts = List.copyOf(texts);
    this.start = calendar.ceiling(start);
    this.end = calendar.floor(end);
    this.fields = new String[texts.size()];
    var composed = new ArrayList<Expression>();
    for (int i = 0; i < fields.length; i++) {
      Expression expression = Expression.parse(texts.get(i));
      if (expression instanceof Field(var name)) {
        fields[i] = name;
      } else {
        composed.add(expression);
      }
    }
    this.plan =
        composed.isEmpty() || this.start > this.end
            ? null
            : new ExpressionPlan(calendar, composed, this.start, this.end);
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
    float[][] columns = new float[fields.length][end - start + 1];
    try (var bins = new InstrumentBins(layout, instrument, calendar.frequency(), calendar.size())) {
      var composed =
          (plan == null ? List.<Column>of() : plan.evaluate(instrument, bins)).iterator();
      for (int i = 0; i < columns.length; i++) {
        String field = fields[i];
        if (field == null) {
          Column column = composed.next();
          Arrays.fill(columns[i], Float.NaN);
          column.narrow(columns[i], start);
          presence.add(column);
        } else {
          read(bins, field, columns[i], presence);
        }
      }
    }
    presence.keep(spans, calendar);
    return presence.rows(instrument, calendar, texts, columns);
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
}
