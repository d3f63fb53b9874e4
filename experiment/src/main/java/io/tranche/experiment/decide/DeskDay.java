package io.tranche.experiment.decide;

import io.tranche.backtest.DayTicks;
import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Side;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.runtime.BarAnswer;
import io.tranche.runtime.LiveDay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// One instrument's day under way, with its orders and with its bars as trading sees them.
final class DeskDay {

  private final LiveDay live;
  private final Frequency frequency;
  private final long[] times;
  private final float[][] columns;
  private final float[] modelled;
  private final DayFrame frame;
  private final List<DeskOrder> orders = new ArrayList<>();

  DeskDay(LiveDay live, Frequency frequency, BarFields fields) {
    this.live = live;
    this.frequency = frequency;
    this.times = new long[live.allTicks()];
    Arrays.setAll(times, live::time);
    this.columns = new float[fields.names().size()][times.length];
    for (float[] column : columns) {
      Arrays.fill(column, Float.NaN);
    }
    this.modelled = new float[fields.modelled()];
    var calendar = Calendar.ofDays(frequency, List.of(live.date()), List.of(times));
    var series = BarSeries.wrap(live.instrument(), calendar, 0, fields.names(), columns);
    DayFrame whole = series.day(0);
    if (whole == null) {
      throw new IllegalStateException("series must have its day, was " + calendar);
    }
    this.frame = whole;
  }

  /// @throws DataException if the model cannot work such an order
  void open(NamedOrder named) {
    var order = named.order();
    try {
      var opened =
          live.openOrder(named.id(), order.side(), order.amount(), order.start(), order.end());
      orders.add(new DeskOrder(named, opened, ceiling(BarTime.of(order.end()))));
    } catch (IllegalArgumentException e) {
      throw new DataException(named.place(), "an order that the model can work", e.getMessage());
    }
  }

  List<DeskOrder> orders() {
    return orders;
  }

  /// Returns the day's bars, those to come missing.
  DayFrame frame() {
    return frame;
  }

  /// Returns the day's bars as matching sees them.
  DayTicks ticks(Side side) {
    return DayTicks.from(frame, DealPrice.CLOSE, side);
  }

  /// Returns the tick that comes next.
  int tick() {
    return live.ticks();
  }

  boolean isOver() {
    return live.ticks() == times.length;
  }

  long firstTime() {
    return times[0];
  }

  /// Returns when the last tick is over.
  long endTime() {
    return times[times.length - 1] + frequency.seconds();
  }

  /// Returns when the tick that comes next begins; the end of time if none does.
  long nextTime() {
    return isOver() ? Long.MAX_VALUE : times[live.ticks()];
  }

  /// Lets the tick that comes next pass without a bar.
  void skip() {
    live.skipTo(times[live.ticks()] + 1);
  }

  /// Takes a bar whose tick is the next, or past.
  ///
  /// @throws DataException if its time is amid a tick: then bars are of another width
  BarAnswer bar(String place, long time, float[] values) {
    int tick = ceiling(time);
    if (tick == times.length || times[tick] != time) {
      if (tick > 0 && time < times[tick - 1] + frequency.seconds()) {
        throw new DataException(
            place, "a time at which a bar of %s begins".formatted(frequency), BarTime.format(time));
      }
      return BarAnswer.OUTSIDE;
    }
    System.arraycopy(values, 0, modelled, 0, modelled.length);
    BarAnswer answer = live.bar(time, modelled);
    if (answer == BarAnswer.TAKEN) {
      for (int i = 0; i < columns.length; i++) {
        columns[i][tick] = values[i];
      }
    }
    return answer;
  }

  void close() {
    live.close();
  }

  private int ceiling(long time) {
    int index = Arrays.binarySearch(times, time);
    return index >= 0 ? index : -index - 1;
  }
}
