package io.tranche.market.feature;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The common move of all instruments, as one more field of every bar: prices divided by it are
/// those of instruments against each other.
///
/// The index begins at 1. At each time it moves by the mean of the instruments' moves (logarithms)
/// since their last bars; where fewer than five move, it stays. It sees no later bar. Moves beyond
/// a fifth are splits and mistakes and count for nothing.
///
/// Bars that have a field `market`, such as an index of the user's own, keep it. Where bars come
/// one by one, as in a service, whoever sends them sends it too: one instrument does not know the
/// others.
public final class MarketIndex {

  /// The field that holds the index.
  public static final String FIELD = "market";

  /// Fewer instruments have no common move worth the name.
  public static final int FEWEST = 10;

  private static final int FEWEST_MOVES = 5;
  private static final double LARGEST_MOVE = 0.2;
  private static final String CLOSE = "close";

  private final TreeMap<Long, Float> levels = new TreeMap<>();

  private MarketIndex(BarSource bars) {
    var moves = new TreeMap<Long, Moves>();
    for (String instrument : bars.instruments()) {
      BarSeries series = Adjustment.adjusted(bars.series(instrument));
      int close = series.fieldIndex(CLOSE);
      float before = Float.NaN;
      for (int row = 0; close >= 0 && row < series.size(); row++) {
        float price = series.value(close, row);
        if (price > 0) {
          long time = series.calendar().time(series.firstBar() + row);
          moves.computeIfAbsent(time, _ -> new Moves()).add(Math.log(price / (double) before));
          before = price;
        }
      }
    }
    double sum = 0;
    for (var each : moves.entrySet()) {
      sum += each.getValue().mean();
      levels.put(each.getKey(), (float) Math.exp(sum));
    }
  }

  private static final class Moves {
    private double sum;
    private int count;

    void add(double move) {
      if (Math.abs(move) <= LARGEST_MOVE) { // not if it is NaN
        sum += move;
        count++;
      }
    }

    double mean() {
      return count < FEWEST_MOVES ? 0 : sum / count;
    }
  }

  /// Returns bars with the field, computed from all of them unless they have it.
  ///
  /// @throws DataException if there are fewer than [#FEWEST] instruments
  public static BarSource added(BarSource bars) {
    if (bars.fields().contains(FIELD)) {
      return bars;
    }
    if (bars.instruments().size() < FEWEST) {
      throw new DataException(
          "market-neutral features",
          "bars of at least %d instruments, or with a column '%s' that holds an index"
              .formatted(FEWEST, FIELD),
          bars.instruments().size() + " instruments");
    }
    var index = new MarketIndex(bars);
    var fields = new ArrayList<>(bars.fields());
    fields.add(FIELD);
    return bars.changed(List.copyOf(fields), index::with);
  }

  /// Returns bars as `wanted` asks for them: with the field if it is among them.
  ///
  /// @throws DataException as [#added]
  public static BarSource completed(BarSource bars, List<String> wanted) {
    return wanted.contains(FIELD) ? added(bars) : bars;
  }

  /// Returns bars whose prices are divided by the index.
  ///
  /// @throws DataException as [#added]
  public static BarSource neutral(BarSource bars) {
    BarSource indexed = added(bars);
    return indexed.changed(indexed.fields(), Adjustment::neutral);
  }

  private BarSeries with(BarSeries series) {
    int width = series.fields().size();
    float[][] columns = new float[width + 1][series.size()];
    for (int field = 0; field < width; field++) {
      series.copy(field, 0, columns[field], 0, series.size());
    }
    for (int row = 0; row < series.size(); row++) {
      columns[width][row] =
          series.isMissing(row)
              ? Float.NaN
              : level(series.calendar().time(series.firstBar() + row));
    }
    var fields = new ArrayList<>(series.fields());
    fields.add(FIELD);
    return BarSeries.wrap(
        series.instrument(), series.calendar(), series.firstDay(), fields, columns);
  }

  private float level(long time) {
    var known = levels.floorEntry(time);
    return known == null ? 1 : known.getValue();
  }
}
