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
import java.util.LinkedHashMap;

/// Days of ticks from bars or files, the latest used kept in memory.
///
/// Hot path once a day is kept: one short lock and a small key.
public final class CachedTicks implements TickSource {

  private record Key(String instrument, LocalDate date, Side side) {}

  private final int daysKept;
  private final TickSource source;
  private final LinkedHashMap<Key, DayTicks> days;

  /// @param source what makes a day; called outside the lock, so two threads may make the same one
  /// @param daysKept how many days are kept, each side's counted apart
  public CachedTicks(TickSource source, int daysKept) {
    if (daysKept < 1) {
      throw new IllegalArgumentException("daysKept must be positive, was " + daysKept);
    }
    this.source = source;
    this.daysKept = daysKept;
    this.days = new LinkedHashMap<>(16, 0.75f, true);
  }

  /// Reads days out of bars. An order's trading day is that of the first bar at or after its start.
  public static CachedTicks of(BarSource bars, DealPrice price, int daysKept) {
    return new CachedTicks(order -> read(bars, price, order), daysKept);
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

  private static DayTicks read(BarSource bars, DealPrice price, Order order) {
    Calendar calendar = bars.calendar();
    int bar = calendar.ceiling(BarTime.of(order.start()));
    BarSeries series = bars.series(order.instrument());
    DayFrame frame = bar < calendar.size() ? series.day(calendar.dayOfBar(bar)) : null;
    if (frame == null) {
      throw new DataException(
          Episode.name(order), "bars of the instrument on the order's day", "none");
    }
    return DayTicks.from(frame, price, order.side());
  }

  @Override
  public DayTicks ticks(Order order) {
    var key = new Key(order.instrument(), order.date(), order.side());
    synchronized (days) {
      DayTicks kept = days.get(key);
      if (kept != null) {
        return kept;
      }
    }
    DayTicks made = source.ticks(order);
    synchronized (days) {
      days.put(key, made);
      if (days.size() > daysKept) {
        days.remove(days.firstEntry().getKey());
      }
    }
    return made;
  }
}
