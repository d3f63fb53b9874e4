package io.tranche.market.feature;

import io.tranche.market.BarSeries;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// Puts bars before and after a split on one scale, for features that look across days: prices
/// times the field `factor`, volumes divided by it. Fills never use it.
///
/// A bar without a factor has no adjusted prices or volumes. Other fields stay as they are.
public final class Adjustment {

  /// The field that holds the factor.
  public static final String FACTOR = "factor";

  private static final Pattern PRICE = Pattern.compile("open|high|low|close|vwap|(bid|ask)[0-9]*");
  private static final Pattern VOLUME = Pattern.compile("volume|(bid|ask)v[0-9]*");

  private final int[] prices;
  private final int[] volumes;
  private final int factor;

  private Adjustment(List<String> fields) {
    this.prices = matching(fields, PRICE);
    this.volumes = matching(fields, VOLUME);
    this.factor = fields.indexOf(FACTOR);
  }

  private static int[] matching(List<String> fields, Pattern names) {
    return IntStream.range(0, fields.size())
        .filter(field -> names.matcher(fields.get(field)).matches())
        .toArray();
  }

  /// @throws IllegalArgumentException if `fields` has no factor
  public static Adjustment of(List<String> fields) {
    if (!fields.contains(FACTOR)) {
      throw new IllegalArgumentException("fields must include factor, was " + fields);
    }
    return new Adjustment(fields);
  }

  /// Adjusts one bar, from `at` on, in place.
  public void apply(float[] bar, int at) {
    for (int price : prices) {
      bar[at + price] *= bar[at + factor];
    }
    for (int volume : volumes) {
      bar[at + volume] /= bar[at + factor];
    }
  }

  /// Adjusts columns in the order of the fields, in place, from row `from` to before `to`.
  void apply(float[][] columns, int from, int to) {
    for (int row = from; row < to; row++) {
      for (int price : prices) {
        columns[price][row] *= columns[factor][row];
      }
      for (int volume : volumes) {
        columns[volume][row] /= columns[factor][row];
      }
    }
  }

  /// Returns `series` with adjusted prices and volumes; itself if it has no factor.
  public static BarSeries adjusted(BarSeries series) {
    if (series.fieldIndex(FACTOR) < 0) {
      return series;
    }
    float[][] columns = new float[series.fields().size()][series.size()];
    for (int field = 0; field < columns.length; field++) {
      series.copy(field, 0, columns[field], 0, series.size());
    }
    of(series.fields()).apply(columns, 0, series.size());
    return BarSeries.wrap(
        series.instrument(), series.calendar(), series.firstDay(), series.fields(), columns);
  }
}
