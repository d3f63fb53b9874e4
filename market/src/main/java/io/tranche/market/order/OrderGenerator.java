package io.tranche.market.order;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Side;
import io.tranche.market.order.DayOrder.Times;
import io.tranche.market.random.Draws;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Orders for every instrument and day, drawn independently of each other.
///
/// The draws of an order depend only on the seed, its instrument, its date and its number on that
/// date, so neither other instruments nor threads change it. There is no order where the window has
/// no bar with a price and volume.
///
/// @param seed of all draws
/// @param size what the median order is, in units of `unit`
/// @param unit what `size` is a share of, or money
/// @param deviation of the logarithm of the size; 0 makes all sizes equal
/// @param windows the times of day of orders, one order for each; empty for the whole day
/// @param perDay the number of orders per day and window
public record OrderGenerator(
    long seed,
    double size,
    Unit unit,
    double deviation,
    List<DayWindow> windows,
    int perDay,
    Sides sides) {

  /// What the size of an order is measured in.
  public enum Unit {
    /// A share of the day's volume.
    DAY,
    /// A share of the volume in the order's window.
    WINDOW,
    /// A share of the mean volume of a bar in the order's window, as in Qlib's script.
    BAR,
    /// Money, at the mean price of the window.
    MONEY
  }

  /// Which sides orders have.
  public enum Sides {
    /// Drawn for each order.
    RANDOM,
    BUY,
    SELL,
    /// Each order once as a purchase and once as a sale.
    BOTH
  }

  /// One order per instrument and day over the whole day, of about 1 % of its volume.
  public static final OrderGenerator DEFAULT =
      new OrderGenerator(1, 0.01, Unit.WINDOW, 1, List.of(), 1, Sides.RANDOM);

  public OrderGenerator {
    windows = List.copyOf(windows);
    if (!(size > 0 && size < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("size must be positive, was " + size);
    }
    if (!(deviation >= 0 && deviation < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("deviation must not be negative, was " + deviation);
    }
    if (perDay < 1) {
      throw new IllegalArgumentException("perDay must be positive, was " + perDay);
    }
  }

  public OrderGenerator withSeed(long other) {
    return new OrderGenerator(other, size, unit, deviation, windows, perDay, sides);
  }

  public OrderGenerator withSize(double median, Unit of, double spread) {
    return new OrderGenerator(seed, median, of, spread, windows, perDay, sides);
  }

  public OrderGenerator withWindows(List<DayWindow> others) {
    return new OrderGenerator(seed, size, unit, deviation, others, perDay, sides);
  }

  public OrderGenerator withPerDay(int number) {
    return new OrderGenerator(seed, size, unit, deviation, windows, number, sides);
  }

  public OrderGenerator withSides(Sides others) {
    return new OrderGenerator(seed, size, unit, deviation, windows, perDay, others);
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
    BarSeries series = source.series(instrument);
    int close = DayBars.field(series, "close");
    int volume = DayBars.field(series, "volume");
    int width = series.calendar().frequency().seconds();
    var orders = new ArrayList<DayOrder>();
    for (int number = series.firstDay(); number < series.endDay(); number++) {
      DayFrame day = series.day(number);
      if (day != null) {
        addOrders(new Bars(day, close, volume, width), orders);
      }
    }
    return orders;
  }

  private void addOrders(Bars bars, List<DayOrder> orders) {
    long key = key(bars.day().instrument(), bars.day().date());
    int number = 0;
    for (int i = 0; i < Math.max(windows.size(), 1); i++) {
      DayWindow window = windows.isEmpty() ? null : windows.get(i);
      for (int n = 0; n < perDay; n++) {
        addOrder(bars, window, number == 0 ? key : Draws.child(key, number), orders);
        number++;
      }
    }
  }

  private void addOrder(Bars bars, @Nullable DayWindow window, long key, List<DayOrder> orders) {
    Measured measured = bars.measure(window);
    if (!(measured.volume() > 0)) {
      return;
    }
    var draws = new Draws(key);
    Side drawn = draws.chance(0.5) ? Side.BUY : Side.SELL;
    double median =
        switch (unit) {
          case DAY -> size * bars.measure(null).volume();
          case WINDOW -> size * measured.volume();
          case BAR -> size * measured.volume() / measured.bars();
          case MONEY -> size / measured.meanClose();
        };
    double amount = median * StrictMath.exp(deviation * draws.normal());
    for (Side side : sides(drawn)) {
      orders.add(measured.order(bars.day(), window != null, side, amount));
    }
  }

  private List<Side> sides(Side drawn) {
    return switch (sides) {
      case RANDOM -> List.of(drawn);
      case BUY -> List.of(Side.BUY);
      case SELL -> List.of(Side.SELL);
      case BOTH -> List.of(Side.BUY, Side.SELL);
    };
  }

  private long key(String instrument, LocalDate date) {
    long key = Draws.root(seed);
    for (int i = 0; i < instrument.length(); i++) {
      key = Draws.child(key, instrument.charAt(i));
    }
    return Draws.child(key, date.toEpochDay());
  }

  /// One day, and which of its columns to measure.
  private record Bars(DayFrame day, int close, int volume, int width) {

    /// @param window null for the whole day
    Measured measure(@Nullable DayWindow window) {
      double volumes = 0;
      double closes = 0;
      int bars = 0;
      int first = -1;
      int last = -1;
      for (int tick = 0; tick < day.ticks(); tick++) {
        if (window != null && !window.contains(BarTime.secondOfDay(day.time(tick)))) {
          continue;
        }
        first = first < 0 ? tick : first;
        last = tick;
        float price = day.value(close, tick);
        float traded = day.value(volume, tick);
        if (price > 0 && traded >= 0) {
          volumes += traded;
          closes += price;
          bars++;
        }
      }
      return new Measured(
          first < 0 ? 0 : day.time(first),
          last < 0 ? 0 : day.time(last) + width,
          volumes,
          closes / bars,
          bars);
    }
  }

  /// What the bars of a window amount to.
  ///
  /// @param bars those with a price and volume
  private record Measured(long start, long end, double volume, double meanClose, int bars) {

    DayOrder order(DayFrame day, boolean timed, Side side, double amount) {
      return new DayOrder(
          day.date(),
          day.instrument(),
          side,
          amount,
          meanClose,
          timed ? new Times(BarTime.dateTime(start), BarTime.dateTime(end)) : null);
    }
  }
}
