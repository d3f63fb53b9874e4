package io.tranche.work.decide;

import io.tranche.backtest.DayTicks;
import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Side;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.order.OrderWindow;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.runtime.BarAnswer;
import io.tranche.work.decide.DecisionMaker.Bar;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The open day of one instrument, with its orders and its bars so far.
final class ReplayDay {

  private final String instrument;
  private final LocalDate date;
  private final Frequency frequency;
  private final List<String> fields;
  private final long[] times;
  private final float[][] columns;
  private final DayFrame frame;
  private final List<ReplayOrder> orders = new ArrayList<>();
  private int ticks;
  private @Nullable DayTicks known;
  private int knownTicks;

  /// @param times of its ticks
  ReplayDay(
      String instrument, LocalDate date, Frequency frequency, List<String> fields, long[] times) {
    this.instrument = instrument;
    this.date = date;
    this.frequency = frequency;
    this.fields = fields;
    this.times = times;
    this.columns = new float[fields.size()][times.length];
    for (float[] column : columns) {
      Arrays.fill(column, Float.NaN);
    }
    var calendar = Calendar.ofDays(frequency, List.of(date), List.of(times));
    var series = BarSeries.wrap(instrument, calendar, 0, fields, columns);
    DayFrame whole = series.day(0);
    if (whole == null) {
      throw new IllegalStateException("series must have its day, was " + calendar);
    }
    this.frame = whole;
  }

  /// Adds an order that the decision maker has opened.
  void add(NamedOrder named, DecisionMaker.Terms terms) {
    var order = named.order();
    var window =
        OrderWindow.of(
            named.id(),
            instrument,
            date,
            times,
            ticks,
            terms.ticksPerStep(),
            order.start(),
            order.end());
    orders.add(new ReplayOrder(named, this, window, terms));
  }

  String instrument() {
    return instrument;
  }

  LocalDate date() {
    return date;
  }

  List<ReplayOrder> orders() {
    return orders;
  }

  /// Returns the day's bars; future ones are missing.
  DayFrame frame() {
    return frame;
  }

  /// Returns the day's bars so far as matching sees them.
  DayTicks ticks() {
    DayTicks made = known;
    if (made == null || knownTicks < ticks) {
      made = DayTicks.from(frame, DealPrice.CLOSE, Side.BUY); // closes are those of both sides
      known = made;
      knownTicks = ticks;
    }
    return made;
  }

  /// Returns the next tick.
  int tick() {
    return ticks;
  }

  long time(int tick) {
    return times[tick];
  }

  boolean isOver() {
    return ticks == times.length;
  }

  long firstTime() {
    return times[0];
  }

  /// Returns when the last tick ends.
  long endTime() {
    return times[times.length - 1] + frequency.seconds();
  }

  /// Returns when the next tick begins, or [Long#MAX_VALUE] if there is none.
  long nextTime() {
    return isOver() ? Long.MAX_VALUE : times[ticks];
  }

  /// Decides what to do with a bar of the next or an earlier tick.
  ///
  /// @throws DataException if its time is within a tick, because the bars then have another width
  BarAnswer judge(String place, long time, float[] values) {
    int tick = Arrays.binarySearch(times, time);
    if (tick < 0) {
      int before = -tick - 2;
      if (before >= 0 && time < times[before] + frequency.seconds()) {
        throw new DataException(
            place, "a time at which a bar of %s begins".formatted(frequency), BarTime.format(time));
      }
      return BarAnswer.OUTSIDE;
    }
    return tick >= ticks ? BarAnswer.TAKEN : compare(tick, values);
  }

  private BarAnswer compare(int tick, float[] values) {
    boolean wasMissing = true;
    boolean isSame = true;
    for (int i = 0; i < columns.length; i++) {
      wasMissing &= Float.isNaN(columns[i][tick]);
      isSame &= Float.compare(columns[i][tick], values[i]) == 0;
    }
    if (isSame) {
      return BarAnswer.REPEATED;
    }
    return wasMissing ? BarAnswer.LATE : BarAnswer.CONTRADICTING;
  }

  /// Takes the bar of the next tick.
  ///
  /// @return the bar for the decision maker
  Bar take(float[] values) {
    var told = new Float[values.length];
    for (int i = 0; i < columns.length; i++) {
      columns[i][ticks] = values[i];
      told[i] = values[i];
    }
    return new Bar(instrument, date, times[ticks++], fields, Arrays.asList(told));
  }

  /// Passes the next tick without a bar.
  ///
  /// @return the bar for the decision maker
  Bar skip() {
    return new Bar(
        instrument, date, times[ticks++], fields, Collections.nCopies(fields.size(), Float.NaN));
  }
}
