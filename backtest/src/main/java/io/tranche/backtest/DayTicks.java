package io.tranche.backtest;

import io.tranche.backtest.Sums.Gaps;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Side;
import io.tranche.market.pickle.BacktestPrices;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One instrument's trading day as matching sees it: the fill price and the market's volume at each
/// tick, and the other columns of the bars. Immutable; shared by all orders of the day.
///
/// NaN stands for "no value". A tick without any value is a missing bar: nothing trades there.
public final class DayTicks {

  private final String instrument;
  private final long[] times;
  private final double[] prices;
  private final double[] volumes;
  private final double @Nullable [] highs;
  private final double @Nullable [] lows;
  private final double @Nullable [] bids;
  private final double @Nullable [] asks;
  private final double @Nullable [] changes;
  private final boolean single;
  private final boolean clean;

  private DayTicks(
      String instrument,
      long[] times,
      double[] prices,
      double[] volumes,
      double @Nullable [] highs,
      double @Nullable [] lows,
      double @Nullable [] bids,
      double @Nullable [] asks,
      double @Nullable [] changes,
      boolean single) {
    this.instrument = instrument;
    this.times = times;
    this.prices = prices;
    this.volumes = volumes;
    this.highs = highs;
    this.lows = lows;
    this.bids = bids;
    this.asks = asks;
    this.changes = changes;
    this.single = single;
    this.clean = areWellFormed(prices, volumes);
  }

  private static boolean areWellFormed(double[] prices, double[] volumes) {
    for (int tick = 0; tick < prices.length; tick++) {
      if (!isPrice(prices[tick]) || !isVolume(volumes[tick])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPrice(double value) {
    return value > 0 && value < Double.POSITIVE_INFINITY;
  }

  private static boolean isVolume(double value) {
    return value >= 0 && value < Double.POSITIVE_INFINITY;
  }

  /// Wraps one array per column. The caller hands them over and must not use them again.
  ///
  /// @param times the [BarTime] of each tick, strictly increasing
  /// @param prices at which orders fill
  /// @param single whether the values were float32: Qlib then adds market columns as float32
  /// @throws IllegalArgumentException if the arrays are not equally long or the times do not
  ///   increase
  public static DayTicks of(
      String instrument, long[] times, double[] prices, double[] volumes, boolean single) {
    requireLength("prices", prices, times);
    requireLength("volumes", volumes, times);
    for (int i = 1; i < times.length; i++) {
      if (times[i] <= times[i - 1]) {
        throw new IllegalArgumentException(
            "times must be strictly increasing, was %s after %s"
                .formatted(BarTime.format(times[i]), BarTime.format(times[i - 1])));
      }
    }
    return new DayTicks(instrument, times, prices, volumes, null, null, null, null, null, single);
  }

  /// Takes the columns that matching uses from a frame: close, volume, high and low, bid and ask,
  /// change, or the same with the suffix 0 that backtest files give them.
  ///
  /// @param side of the order; only used for prices at bid or ask
  /// @throws DataException if the frame lacks a column that the price needs
  public static DayTicks from(DayFrame frame, DealPrice type, Side side) {
    return new FrameColumns(frame).ticks(type, side);
  }

  /// Takes the prices and volumes of a pickle-styled file.
  public static DayTicks from(String instrument, BacktestPrices file, DealPrice type, Side side) {
    long[] times = new long[file.ticks()];
    for (int tick = 0; tick < times.length; tick++) {
      times[tick] = file.time(tick);
    }
    return of(instrument, times, file.dealPrices(type, side), file.volumes(), false);
  }

  private static void requireLength(String name, double[] column, long[] times) {
    if (column.length != times.length) {
      throw new IllegalArgumentException(
          "%s must be %d long, was %d".formatted(name, times.length, column.length));
    }
  }

  /// Returns these ticks with the highest and lowest price of each; keeps the arrays.
  public DayTicks withRange(double[] high, double[] low) {
    requireLength("high", high, times);
    requireLength("low", low, times);
    return new DayTicks(instrument, times, prices, volumes, high, low, bids, asks, changes, single);
  }

  /// Returns these ticks with the best quotes of each; keeps the arrays.
  public DayTicks withQuotes(double[] bid, double[] ask) {
    requireLength("bid", bid, times);
    requireLength("ask", ask, times);
    return new DayTicks(instrument, times, prices, volumes, highs, lows, bid, ask, changes, single);
  }

  /// Returns these ticks with the change of each price since the previous close, a fraction; keeps
  /// it.
  public DayTicks withChanges(double[] change) {
    requireLength("change", change, times);
    return new DayTicks(
        instrument, times, prices, volumes, highs, lows, bids, asks, change, single);
  }

  /// Returns these ticks with other moves: the logarithm of each price's distance from the first
  /// one is `factor` times as large.
  public DayTicks scaled(double factor) {
    double first = Double.NaN;
    for (int tick = 0; tick < prices.length && Double.isNaN(first); tick++) {
      first = prices[tick];
    }
    return new DayTicks(
        instrument,
        times,
        scaled(prices, first, factor),
        volumes,
        highs == null ? null : scaled(highs, first, factor),
        lows == null ? null : scaled(lows, first, factor),
        bids == null ? null : scaled(bids, first, factor),
        asks == null ? null : scaled(asks, first, factor),
        changes,
        single);
  }

  private static double[] scaled(double[] column, double first, double factor) {
    double[] scaled = new double[column.length];
    for (int i = 0; i < column.length; i++) {
      scaled[i] = first * Math.pow(column[i] / first, factor);
    }
    return scaled;
  }

  public String instrument() {
    return instrument;
  }

  /// Returns about how much memory these ticks need.
  public long bytes() {
    return (long) times.length * (highs == null ? 3 : 8) * Double.BYTES;
  }

  /// Returns the number of ticks, missing ones included.
  public int count() {
    return times.length;
  }

  /// Returns the [BarTime] of `tick`.
  public long time(int tick) {
    return times[tick];
  }

  /// Returns the first tick at or after `time`; [#count] if there is none.
  public int ceiling(long time) {
    int index = Arrays.binarySearch(times, time);
    return index >= 0 ? index : -index - 1;
  }

  /// Returns the price at which orders fill.
  public double price(int tick) {
    return prices[tick];
  }

  public double volume(int tick) {
    return volumes[tick];
  }

  /// Returns the highest price of a tick; NaN if the data have none.
  public double high(int tick) {
    return at(highs, tick);
  }

  /// Returns the lowest price of a tick; NaN if the data have none.
  public double low(int tick) {
    return at(lows, tick);
  }

  /// Returns the bid at a tick; NaN if the data have none.
  public double bid(int tick) {
    return at(bids, tick);
  }

  /// Returns the ask at a tick; NaN if the data have none.
  public double ask(int tick) {
    return at(asks, tick);
  }

  private static double at(double @Nullable [] values, int tick) {
    return values == null ? Double.NaN : values[tick];
  }

  /// Whether the values were float32.
  public boolean isSingle() {
    return single;
  }

  /// Whether every tick has a positive price and a volume that is not negative.
  public boolean isClean() {
    return clean;
  }

  /// Refuses ticks from `from` (inclusive) to `to` (exclusive) that are neither complete nor
  /// missing.
  ///
  /// @param where the name of these ticks, evaluated only on an error
  /// @throws DataException naming the tick and the value
  public void requireClean(Supplier<String> where, int from, int to) {
    if (clean) {
      return;
    }
    for (int tick = from; tick < to; tick++) {
      boolean priced = isPrice(prices[tick]);
      if (!isMissing(tick) && !(priced && isVolume(volumes[tick]))) {
        throw new DataException(
            "%s, tick %d (%s)".formatted(where.get(), tick, BarTime.format(times[tick])),
            priced ? "a volume that is not negative" : "a positive price",
            priced ? volumes[tick] : prices[tick]);
      }
    }
  }

  /// Whether `tick` has no price, volume, range or quote.
  public boolean isMissing(int tick) {
    return Double.isNaN(prices[tick])
        && Double.isNaN(volumes[tick])
        && isAbsent(highs, tick)
        && isAbsent(lows, tick)
        && isAbsent(bids, tick)
        && isAbsent(asks, tick);
  }

  private static boolean isAbsent(double @Nullable [] column, int tick) {
    return column == null || Double.isNaN(column[tick]);
  }

  /// Returns the mean of the prices from `from` (inclusive) to `to` (exclusive), without missing
  /// ones; NaN if all are missing. Added as doubles.
  public double meanPrice(int from, int to) {
    return meanPrice(from, to, clean ? Gaps.SPREAD : Gaps.SKIP, false);
  }

  /// Returns the mean of the prices from `from` (inclusive) to `to` (exclusive).
  ///
  /// @param asSingle whether to add float32 values as float32
  public double meanPrice(int from, int to, Gaps gaps, boolean asSingle) {
    int count = to - from;
    int numbers = gaps == Gaps.SKIP ? Sums.numbers(prices, from, count) : count;
    if (numbers == 0) {
      return Double.NaN;
    }
    return asSingle && single
        ? Sums.singleSum(prices, from, count, gaps) / numbers
        : Sums.sum(prices, from, count, gaps) / numbers;
  }

  /// Returns the sum of the volumes from `from` (inclusive) to `to` (exclusive).
  ///
  /// @param asSingle whether to add float32 values as float32
  public double totalVolume(int from, int to, Gaps gaps, boolean asSingle) {
    return asSingle && single
        ? Sums.singleSum(volumes, from, to - from, gaps)
        : Sums.sum(volumes, from, to - from, gaps);
  }

  /// Returns the value of `amounts` at the prices from `from` (inclusive) to `to` (exclusive).
  ///
  /// @param amountFrom the element of `amounts` that belongs to the tick `from`
  public double value(int from, int to, double[] amounts, int amountFrom, Gaps gaps) {
    return Sums.dot(prices, from, amounts, amountFrom, to - from, gaps);
  }

  // ---- the columns themselves, for the loops of this package and never written to ----

  double[] prices() {
    return prices;
  }

  double[] volumes() {
    return volumes;
  }

  double @Nullable [] highs() {
    return highs;
  }

  double @Nullable [] lows() {
    return lows;
  }

  double @Nullable [] bids() {
    return bids;
  }

  double @Nullable [] asks() {
    return asks;
  }

  double @Nullable [] changes() {
    return changes;
  }

  /// Takes the columns that matching needs from a day's bars.
  private record FrameColumns(DayFrame frame) {

    DayTicks ticks(DealPrice type, Side side) {
      long[] times = new long[frame.ticks()];
      for (int tick = 0; tick < times.length; tick++) {
        times[tick] = frame.time(tick);
      }
      DayTicks ticks =
          DayTicks.of(frame.instrument(), times, prices(type, side), required("volume"), true);
      double[] highs = column("high");
      double[] lows = column("low");
      if (highs != null && lows != null) {
        ticks = ticks.withRange(highs, lows);
      }
      double[] bids = column("bid");
      double[] asks = column("ask");
      if (bids != null && asks != null) {
        ticks = ticks.withQuotes(bids, asks);
      }
      double[] changes = column("change");
      return changes == null ? ticks : ticks.withChanges(changes);
    }

    private double[] prices(DealPrice type, Side side) {
      if (type == DealPrice.CLOSE) {
        return required("close");
      }
      double[] prices = required(side == Side.SELL ? "bid" : "ask");
      if (type == DealPrice.BID_OR_ASK_FILL) {
        double[] others = required(side == Side.SELL ? "ask" : "bid");
        for (int tick = 0; tick < prices.length; tick++) {
          if (prices[tick] == 0 || Double.isNaN(prices[tick])) {
            prices[tick] = others[tick];
          }
        }
      }
      return prices;
    }

    private double[] required(String field) {
      double[] column = column(field);
      if (column == null) {
        throw new DataException(
            frame.instrument() + " " + frame.date(), "a column " + field, frame.fields());
      }
      return column;
    }

    private double @Nullable [] column(String field) {
      int index = frame.fieldIndex(field);
      index = index >= 0 ? index : frame.fieldIndex(field + "0");
      if (index < 0) {
        return null;
      }
      double[] values = new double[frame.ticks()];
      for (int tick = 0; tick < values.length; tick++) {
        values[tick] = frame.value(index, tick);
      }
      return values;
    }
  }
}
