package io.tranche.market.order;

import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Orders for every instrument and day: a side and a share of the mean bar volume, drawn for each
/// order alone.
///
/// The draws of an order depend on the seed, its instrument and its date and on nothing else, so
/// that neither other instruments nor threads change it. Without a price and a positive volume in
/// the bars measured there is no order that day.
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
    var random = new SplittableRandom(key(instrument, date));
    Side side = random.nextBoolean() ? Side.BUY : Side.SELL;
    double share = StrictMath.exp(logMean + logDeviation * gauss(random));
    orders.add(new DayOrder(date, instrument, side, share * volume / traded, close / traded));
  }

  private long key(String instrument, LocalDate date) {
    long key = mix(seed);
    for (int i = 0; i < instrument.length(); i++) {
      key = mix(key ^ instrument.charAt(i));
    }
    return mix(key ^ date.toEpochDay());
  }

  /// The finalizer of SplitMix64: every bit of the input changes half of the output.
  private static long mix(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /// Box and Muller's method: the JDK does not promise the bits of its own.
  private static double gauss(SplittableRandom random) {
    double radius = Math.sqrt(-2 * StrictMath.log(1 - random.nextDouble()));
    return radius * StrictMath.cos(2 * Math.PI * random.nextDouble());
  }
}
