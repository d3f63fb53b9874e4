package io.tranche.market.feature;

import io.tranche.market.BarSeries;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Puts bars before and after a split on one scale, for features that look across days: prices
/// times the field `factor`, volumes divided by it. Fills never use it.
///
/// A bar without a factor has no adjusted prices or volumes. Other fields stay as they are. Prices
/// may also be divided by the market's index ([MarketIndex]), so that only moves against the market
/// are left.
public final class Adjustment {

  /// The field that holds the factor.
  public static final String FACTOR = "factor";

  private static final Pattern PRICE = Pattern.compile("open|high|low|close|vwap|(bid|ask)[0-9]*");
  private static final Pattern VOLUME = Pattern.compile("volume|(bid|ask)v[0-9]*");

  private final int[] prices;
  private final int[] volumes;
  private final int factor; // -1 for none
  private final int market; // -1 for none

  private Adjustment(List<String> fields, boolean isAdjusted, boolean isNeutral) {
    this.prices = matching(fields, PRICE);
    this.volumes = matching(fields, VOLUME);
    this.factor = isAdjusted ? required(fields, FACTOR) : -1;
    this.market = isNeutral ? required(fields, MarketIndex.FIELD) : -1;
  }

  private static int required(List<String> fields, String name) {
    if (!fields.contains(name)) {
      throw new IllegalArgumentException("fields must include %s, was %s".formatted(name, fields));
    }
    return fields.indexOf(name);
  }

  private static int[] matching(List<String> fields, Pattern names) {
    return IntStream.range(0, fields.size())
        .filter(field -> names.matcher(fields.get(field)).matches())
        .toArray();
  }

  /// @throws IllegalArgumentException if `fields` has no factor
  public static Adjustment of(List<String> fields) {
    return new Adjustment(fields, true, false);
  }

  /// Returns what a rule asks for; null if bars stay as they are.
  ///
  /// @throws IllegalArgumentException if a field is missing
  static @Nullable Adjustment of(List<String> fields, DayRule rule) {
    return rule.isAdjusted() || rule.isNeutral()
        ? new Adjustment(fields, rule.isAdjusted(), rule.isNeutral())
        : null;
  }

  /// Adjusts one bar, from `at` on, in place.
  public void apply(float[] bar, int at) {
    for (int price : prices) {
      bar[at + price] =
          changed(bar[at + price], factor < 0 ? 1 : bar[at + factor], market(bar, at));
    }
    for (int i = 0; i < volumes.length && factor >= 0; i++) {
      bar[at + volumes[i]] /= bar[at + factor];
    }
  }

  private float market(float[] bar, int at) {
    return market < 0 ? 1 : bar[at + market];
  }

  private static float changed(float price, float factor, float market) {
    return price * factor / market;
  }

  /// Adjusts columns in the order of the fields, in place, from row `from` to before `to`.
  void apply(float[][] columns, int from, int to) {
    for (int row = from; row < to; row++) {
      for (int price : prices) {
        columns[price][row] =
            changed(
                columns[price][row],
                factor < 0 ? 1 : columns[factor][row],
                market < 0 ? 1 : columns[market][row]);
      }
      for (int i = 0; i < volumes.length && factor >= 0; i++) {
        columns[volumes[i]][row] /= columns[factor][row];
      }
    }
  }

  /// Returns `series` with adjusted prices and volumes; itself if it has no factor.
  public static BarSeries adjusted(BarSeries series) {
    return adjusted(series, false);
  }

  /// Returns `series` with adjusted prices and volumes.
  ///
  /// @param isNeutral whether prices are also divided by the market's index
  public static BarSeries adjusted(BarSeries series, boolean isNeutral) {
    return changed(series, series.fieldIndex(FACTOR) >= 0, isNeutral);
  }

  /// Returns `series` with prices divided by the market's index, and nothing else changed.
  static BarSeries neutral(BarSeries series) {
    return changed(series, false, true);
  }

  private static BarSeries changed(BarSeries series, boolean isAdjusted, boolean isNeutral) {
    if (!isAdjusted && !isNeutral) {
      return series;
    }
    float[][] columns = new float[series.fields().size()][series.size()];
    for (int field = 0; field < columns.length; field++) {
      series.copy(field, 0, columns[field], 0, series.size());
    }
    new Adjustment(series.fields(), isAdjusted, isNeutral).apply(columns, 0, series.size());
    return BarSeries.wrap(
        series.instrument(), series.calendar(), series.firstDay(), series.fields(), columns);
  }
}
