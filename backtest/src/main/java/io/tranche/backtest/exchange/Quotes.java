package io.tranche.backtest.exchange;

import io.tranche.backtest.DayTicks;
import io.tranche.market.Side;
import io.tranche.market.store.FeatureRows;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Everything that an exchange knows about one instrument, one array per column. Computed once,
/// immutable for its users, shared by threads.
///
/// Intervals are closed on both sides, as everywhere in a backtest; a row is a bar.
public final class Quotes {

  private final String instrument;
  private final long[] times;
  private final double[] buyPrices;
  private final double[] sellPrices;
  private final double[] closes;
  private final double[] factors;
  private final double[] volumes;
  private final double @Nullable [] changes;
  private final boolean[] buyBlocked;
  private final boolean[] sellBlocked;
  private final double[][] volumeLimits; // in the order of the config
  private final boolean adjusted;

  /// The row of the last search. Steps follow each other, so the next one is nearly always the same
  /// or the one after it. Threads may overwrite each other's hint: it is checked before use, but
  /// searches are slower than with [#forOneReader].
  private int hint;

  private Quotes(String instrument, ExchangeConfig config, long[] times, Columns columns) {
    this.instrument = instrument;
    this.times = times;
    this.buyPrices = columns.of(config.buyPrice());
    this.sellPrices = columns.of(config.sellPrice());
    this.closes = columns.of(ExchangeConfig.CLOSE);
    this.factors = columns.of(ExchangeConfig.FACTOR);
    this.volumes = columns.of(ExchangeConfig.VOLUME);
    double[] known = columns.of(ExchangeConfig.CHANGE);
    // Matching asks for changes by name where a price limit needs them.
    this.changes = Double.isNaN(lastNumber(known, 0, known.length)) ? null : known;
    this.buyBlocked = blocked(config.priceLimit(), Side.BUY, columns);
    this.sellBlocked = blocked(config.priceLimit(), Side.SELL, columns);
    this.volumeLimits =
        config.volumeLimits().stream()
            .map(limit -> columns.of(limit.expression()))
            .toArray(double[][]::new);
    this.adjusted = hasCloseWithoutFactor(closes, factors);
  }

  private Quotes(Quotes other) {
    this.instrument = other.instrument;
    this.times = other.times;
    this.buyPrices = other.buyPrices;
    this.sellPrices = other.sellPrices;
    this.closes = other.closes;
    this.factors = other.factors;
    this.volumes = other.volumes;
    this.changes = other.changes;
    this.buyBlocked = other.buyBlocked;
    this.sellBlocked = other.sellBlocked;
    this.volumeLimits = other.volumeLimits;
    this.adjusted = other.adjusted;
  }

  /// Returns these quotes with their own search hint, so that threads do not disturb each other.
  public Quotes forOneReader() {
    return new Quotes(this);
  }

  /// Where the columns come from.
  @FunctionalInterface
  public interface Columns {

    /// Returns the values of an expression, one per row; the caller keeps the array.
    double[] of(String expression);
  }

  /// @param times the [io.tranche.market.BarTime] of each row, strictly increasing; kept
  public static Quotes of(String instrument, ExchangeConfig config, long[] times, Columns columns) {
    return new Quotes(instrument, config, times, columns);
  }

  /// @param rows the result of a query for [ExchangeConfig#expressions]
  static Quotes of(ExchangeConfig config, FeatureRows rows) {
    long[] times = new long[rows.size()];
    for (int row = 0; row < times.length; row++) {
      times[row] = rows.time(row);
    }
    List<String> expressions = rows.expressions();
    return new Quotes(
        rows.instrument(),
        config,
        times,
        expression -> {
          int column = expressions.indexOf(expression);
          double[] values = new double[times.length];
          for (int row = 0; row < values.length; row++) {
            values[row] = rows.value(column, row);
          }
          return values;
        });
  }

  private static boolean[] blocked(PriceLimit limit, Side side, Columns columns) {
    double[] closes = columns.of(ExchangeConfig.CLOSE);
    boolean[] blocked = new boolean[closes.length];
    double[] values =
        switch (limit) {
          case PriceLimit.None _ -> closes;
          case PriceLimit.Change _ -> columns.of(ExchangeConfig.CHANGE);
          case PriceLimit.Flags(String buy, String sell) ->
              columns.of(side == Side.BUY ? buy : sell);
        };
    for (int row = 0; row < blocked.length; row++) {
      boolean limited =
          switch (limit) {
            case PriceLimit.None _ -> false;
            case PriceLimit.Change(double fraction) ->
                side == Side.BUY ? values[row] >= fraction : values[row] <= -fraction;
            case PriceLimit.Flags _ -> values[row] != 0; // NaN is not 0
          };
      blocked[row] = limited || Double.isNaN(closes[row]);
    }
    return blocked;
  }

  private static boolean hasCloseWithoutFactor(double[] closes, double[] factors) {
    for (int row = 0; row < closes.length; row++) {
      if (Double.isNaN(factors[row]) && !Double.isNaN(closes[row])) {
        return true;
      }
    }
    return false;
  }

  public String instrument() {
    return instrument;
  }

  public int rows() {
    return times.length;
  }

  public long time(int row) {
    return times[row];
  }

  /// Returns the first row at or after `time`.
  public int from(long time) {
    int near = hint;
    for (int row = near; row < Math.min(near + 2, times.length); row++) {
      if (times[row] == time) {
        hint = row;
        return row;
      }
    }
    int found = Arrays.binarySearch(times, time);
    int row = found >= 0 ? found : -found - 1;
    hint = row;
    return row;
  }

  /// Returns the row after the last one at or before `time`.
  public int to(long time) {
    int near = hint;
    if (near < times.length
        && times[near] <= time
        && (near + 1 == times.length || times[near + 1] > time)) {
      return near + 1;
    }
    int found = Arrays.binarySearch(times, time);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /// Returns the price at which orders fill, as the expression gives it.
  public double price(Side side, int row) {
    return (side == Side.BUY ? buyPrices : sellPrices)[row];
  }

  public double volume(int row) {
    return volumes[row];
  }

  /// Whether amounts are of adjusted shares, whose trade unit is not known.
  boolean isAdjusted() {
    return adjusted;
  }

  /// Whether no row from `from` to `to` has a close.
  boolean isSuspended(int from, int to) {
    return Double.isNaN(lastNumber(closes, from, to));
  }

  /// Whether every row from `from` to `to` is blocked; there must be one.
  boolean isBlocked(Side side, int from, int to) {
    boolean[] blocked = side == Side.BUY ? buyBlocked : sellBlocked;
    for (int row = from; row < to; row++) {
      if (!blocked[row]) {
        return false;
      }
    }
    return true;
  }

  /// Returns the fill price of an order over the rows: the last price, or else the last close.
  double dealPrice(Side side, int from, int to) {
    double price = lastNumber(side == Side.BUY ? buyPrices : sellPrices, from, to);
    return price > Exchange.NO_PRICE ? price : lastNumber(closes, from, to);
  }

  double lastFactor(int from, int to) {
    return lastNumber(factors, from, to);
  }

  double totalVolume(int from, int to) {
    return total(volumes, from, to);
  }

  /// Returns the volume that the config's limit number `index` allows over the rows.
  double volumeLimit(int index, VolumeLimit.Kind kind, int from, int to) {
    return switch (kind) {
      case CURRENT -> total(volumeLimits[index], from, to);
      case CUMULATIVE -> lastNumber(volumeLimits[index], from, to);
    };
  }

  private static double lastNumber(double[] column, int from, int to) {
    for (int row = to - 1; row >= from; row--) {
      if (!Double.isNaN(column[row])) {
        return column[row];
      }
    }
    return Double.NaN;
  }

  private static double total(double[] column, int from, int to) {
    double total = 0;
    for (int row = from; row < to; row++) {
      total += Double.isNaN(column[row]) ? 0 : column[row];
    }
    return total;
  }

  /// Returns the rows from `from` to `to` as matching and policies see them, priced for `side`.
  public DayTicks ticks(Side side, int from, int to) {
    DayTicks ticks =
        DayTicks.of(
            instrument,
            Arrays.copyOfRange(times, from, to),
            Arrays.copyOfRange(side == Side.BUY ? buyPrices : sellPrices, from, to),
            Arrays.copyOfRange(volumes, from, to),
            false);
    return changes == null ? ticks : ticks.withChanges(Arrays.copyOfRange(changes, from, to));
  }
}
