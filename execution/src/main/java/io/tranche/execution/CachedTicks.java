package io.tranche.execution;

import io.tranche.backtest.DayTicks;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.pickle.BacktestPrices;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import java.nio.file.Path;
import java.time.LocalDate;

/// Days of ticks from bars or files, the latest used kept in memory.
///
/// Hot path once a day is kept: one short lock and a small key.
public final class CachedTicks implements TickSource {

  private record Key(String instrument, LocalDate date, Side side) {}

  private static final int SERIES_KEPT = 16;

  private final TickSource source;
  private final Recent<Key, DayTicks> days;

  /// @param source what makes a day
  /// @param daysKept how many days are kept, each side's counted apart
  public CachedTicks(TickSource source, int daysKept) {
    this.source = source;
    this.days = new Recent<>(daysKept);
  }

  /// Reads days out of bars. An order's trading day is that of the first bar at or after its start.
  public static CachedTicks of(BarSource bars, DealPrice price, int daysKept) {
    var series = new Recent<String, BarSeries>(SERIES_KEPT);
    return new CachedTicks(
        order -> {
          String instrument = order.instrument();
          BarSeries all = series.get(instrument, () -> bars.series(instrument));
          return DayTicks.from(day(all, order), price, order.side());
        },
        daysKept);
  }

  /// Reads days out of pickle-styled files. Qlib: `SimpleIntradayBacktestData`.
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

  private static DayFrame day(BarSeries series, Order order) {
    Calendar calendar = series.calendar();
    int bar = calendar.ceiling(BarTime.of(order.start()));
    DayFrame frame = bar < calendar.size() ? series.day(calendar.dayOfBar(bar)) : null;
    if (frame == null) {
      throw new DataException(
          Episode.name(order), "bars of the instrument on the order's day", "none");
    }
    return frame;
  }

  @Override
  public DayTicks ticks(Order order) {
    var key = new Key(order.instrument(), order.date(), order.side());
    return days.get(key, () -> source.ticks(order));
  }
}
