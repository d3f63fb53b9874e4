package io.tranche.execution;

import io.tranche.backtest.DayTicks;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.cache.RecentCache;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.pickle.BacktestPrices;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Days of ticks from bars or files; keeps the most recently used days in memory.
///
/// Hot path for a day that is kept: a short lock and a small key; for bars also the search for the
/// order's trading day in the calendar of a kept series.
public final class CachedTicks implements TickSource, AutoCloseable {

  /// What a day of ticks depends on, with an order that asked for it.
  ///
  /// @param date the trading day, which is not the order's own if that has no bar from its start on
  private record Key(Order order, LocalDate date) {

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key(Order that, LocalDate day)
          && order.instrument().equals(that.instrument())
          && date.equals(day)
          && order.side() == that.side();
    }

    @Override
    public int hashCode() {
      return Objects.hash(order.instrument(), date, order.side());
    }
  }

  /// Which ticks without volume had no bar, so that nothing can be traded at them.
  public enum Gaps {
    /// None: every tick can be traded at its price, as in Qlib.
    NONE,
    /// Those without a price.
    WITHOUT_PRICE,
    /// All of them: prices may be those of earlier ticks.
    ALL;

    private boolean hides(double price) {
      return this == ALL || (this == WITHOUT_PRICE && Double.isNaN(price));
    }
  }

  private final RecentCache<Key, DayTicks> days;
  private final Function<Order, LocalDate> tradingDay;
  private final Runnable closing;

  /// @param source what makes a day
  /// @param daysKept how many days are kept at least, and more if memory allows; the two sides of a
  ///   day count as two
  public CachedTicks(TickSource source, int daysKept) {
    this(source, Order::date, daysKept, () -> {});
  }

  private CachedTicks(
      TickSource source, Function<Order, LocalDate> tradingDay, int daysKept, Runnable closing) {
    this.days =
        RecentCache.byMemory(daysKept, DayTicks::bytes, key -> source.ticks(key.order()));
    this.tradingDay = tradingDay;
    this.closing = closing;
  }

  /// Reads days from bars, which are closed with these ticks. If the order's trading day has no bar
  /// at or after its start, the trading day of the first such bar is read.
  public static CachedTicks of(BarSource bars, DealPrice price, int daysKept) {
    var cached = CachedBars.byMemory(bars);
    return new CachedTicks(
        order -> DayTicks.from(day(cached.series(order.instrument()), order), price, order.side()),
        order -> day(cached.series(order.instrument()), order).date(),
        daysKept,
        bars::close);
  }

  /// Reads days from pickle-styled files. Qlib: `SimpleIntradayBacktestData`.
  public static CachedTicks ofPickles(Path folder, DealPrice price, int daysKept) {
    return new CachedTicks(
        order ->
            DayTicks.from(
                order.instrument(),
                BacktestPrices.read(folder, order.instrument(), order.date()),
                price,
                order.side()),
        daysKept);
  }

  /// Reads days from the backtest columns of a feature store or of Qlib's handler pickles, which
  /// are closed with these ticks.
  ///
  /// @param backtest a source whose columns of today include `$close0` and `$volume0`
  public static CachedTicks of(FeatureSource backtest, Gaps gaps, int daysKept) {
    int price = column(backtest, "$close0");
    int volume = column(backtest, "$volume0");
    return new CachedTicks(
        order -> {
          DayFeatures day = backtest.day(order.instrument(), order.date());
          long[] times = new long[day.ticks()];
          double[] prices = new double[day.ticks()];
          double[] volumes = new double[day.ticks()];
          for (int tick = 0; tick < times.length; tick++) {
            times[tick] = day.time(tick);
            prices[tick] = day.today(tick, price);
            volumes[tick] = day.today(tick, volume);
            if (volumes[tick] == 0 && gaps.hides(prices[tick])) {
              prices[tick] = Double.NaN;
              volumes[tick] = Double.NaN;
            }
          }
          return DayTicks.of(order.instrument(), times, prices, volumes, true);
        },
        Order::date,
        daysKept,
        backtest::close);
  }

  private static int column(FeatureSource backtest, String name) {
    int index = backtest.columns().today().indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(
          "columns must include %s, was %s".formatted(name, backtest.columns().today()));
    }
    return index;
  }

  private static DayFrame day(BarSeries series, Order order) {
    Calendar calendar = series.calendar();
    int day = calendar.dayOf(order.date());
    long start = BarTime.of(order.start());
    if (day < 0 || calendar.time(calendar.dayEnd(day) - 1) < start) {
      int bar = calendar.ceiling(start);
      day = bar < calendar.size() ? calendar.dayOfBar(bar) : -1;
    }
    DayFrame frame = day < 0 ? null : series.day(day);
    if (frame == null) {
      throw new DataException(
          OrderEpisode.name(order), "bars of the instrument on the order's day", "none");
    }
    return frame;
  }

  @Override
  public DayTicks ticks(Order order) {
    return days.get(new Key(order, tradingDay.apply(order)));
  }

  @Override
  public void close() {
    closing.run();
  }
}
