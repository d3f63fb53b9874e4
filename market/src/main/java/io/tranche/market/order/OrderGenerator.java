package io.tranche.market.order;

import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.market.random.Draws;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/// Orders for every instrument and day: a side and a share of the mean bar volume, drawn
/// independently for each order.
///
/// The draws of an order depend only on the seed, its instrument and its date, so that neither
/// other instruments nor threads change it. A day whose measured bars have no price or no positive
/// volume gets no order.
///
/// @param seed of all draws
/// @param firstBar the first bar of the day that is measured
/// @param endBar the bar after the last one measured; shorter days are measured to their end
/// @param logMean mean of the logarithm of the share; Qlib's script has -3.28
/// @param logDeviation deviation of the same, not negative; Qlib's script has 1.14
public record OrderGenerator(
    long seed, int firstBar, int endBar, double logMean, double logDeviation) {

  /// Whole days and Qlib's distribution of shares.
  public static final OrderGenerator DEFAULT =
      new OrderGenerator(1, 0, Integer.MAX_VALUE, -3.28, 1.14);

  public OrderGenerator {
    if (firstBar < 0 || endBar <= firstBar) {
      throw new IllegalArgumentException(
          "bars must be a range, was %d..%d".formatted(firstBar, endBar));
    }
    if (!Double.isFinite(logMean) || !(logDeviation >= 0 && Double.isFinite(logDeviation))) {
      throw new IllegalArgumentException(
          "logMean and logDeviation must be finite and the latter not negative, was %s and %s"
              .formatted(logMean, logDeviation));
    }
  }

  public OrderGenerator withSeed(long newSeed) {
    return new OrderGenerator(newSeed, firstBar, endBar, logMean, logDeviation);
  }

  /// Generates for all instruments, in the order of the source.
  ///
  /// @throws DataException if the source lacks the field close or volume, or is damaged
  public List<DayOrder> generate(BarSource source) {
    var orders = new ArrayList<DayOrder>();
    for (String instrument : source.instruments()) {
      orders.addAll(generate(source, instrument));
    }
    return orders;
  }

  /// Generates for one instrument, in the order of its days.
  public List<DayOrder> generate(BarSource source, String instrument) {
    DayBars bars = DayBars.of(source.series(instrument));
    var orders = new ArrayList<DayOrder>();
    for (int day = 0; day < bars.days(); day++) {
      addOrder(instrument, bars, day, orders);
    }
    return orders;
  }

  private void addOrder(String instrument, DayBars bars, int day, List<DayOrder> orders) {
    double volume = 0;
    double close = 0;
    int traded = 0;
    for (int bar = firstBar; bar < Math.min(endBar, bars.bars(day)); bar++) {
      if (bars.close(day, bar) > 0 && bars.volume(day, bar) >= 0) {
        volume += bars.volume(day, bar);
        close += bars.close(day, bar);
        traded++;
      }
    }
    if (!(volume > 0)) {
      return;
    }
    LocalDate date = bars.date(day);
    var draws = new Draws(key(instrument, date));
    Side side = draws.chance(0.5) ? Side.BUY : Side.SELL;
    double share = StrictMath.exp(logMean + logDeviation * draws.normal());
    orders.add(new DayOrder(date, instrument, side, share * volume / traded, close / traded));
  }

  private long key(String instrument, LocalDate date) {
    long key = Draws.root(seed);
    for (int i = 0; i < instrument.length(); i++) {
      key = Draws.child(key, instrument.charAt(i));
    }
    return Draws.child(key, date.toEpochDay());
  }
}
