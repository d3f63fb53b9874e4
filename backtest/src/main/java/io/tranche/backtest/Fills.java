package io.tranche.backtest;

import io.tranche.market.Side;
import org.jspecify.annotations.Nullable;

/// The fills of one order, tick by tick: memory that the caller owns and [Matching] writes to, with
/// one slot per tick of the order's window.
///
/// There are slots for prices only if they can differ from the deal price, and for fees only if
/// there are any.
public final class Fills {

  private DayTicks ticks;
  private final Side side;
  private final int firstTick;
  private final double[] amounts;
  private double @Nullable [] prices;
  private final double @Nullable [] fees;
  private double push; // what is left of a transient impact, as a fraction of the price
  private double commission = Settlement.UNCHARGED; // so far, for what a minimum is charged for

  Fills(DayTicks ticks, Side side, int firstTick, int endTick, boolean priced, boolean costly) {
    int slots = endTick - firstTick;
    this.ticks = ticks;
    this.side = side;
    this.firstTick = firstTick;
    this.amounts = new double[slots];
    this.prices = priced ? new double[slots] : null;
    this.fees = costly ? new double[slots] : null;
  }

  /// Makes the memory for fills that do not come from [Matching], with slots for prices and fees if
  /// `priced`.
  public static Fills recorded(
      DayTicks ticks, Side side, int firstTick, int endTick, boolean priced) {
    return new Fills(ticks, side, firstTick, endTick, priced, priced);
  }

  /// Returns the amounts, not a copy; those of ticks not yet worked are zero.
  public double[] amounts() {
    return amounts;
  }

  /// Returns the prices of the fills, not a copy; null if all are the deal price.
  public double @Nullable [] prices() {
    return prices;
  }

  /// Returns the fees, not a copy; null if there are none.
  public double @Nullable [] fees() {
    return fees;
  }

  /// Goes on with the ticks as they are known later: the same day, on which more bars have come.
  /// Live orders need no more than the ticks up to the end of the step that is matched.
  ///
  /// @throws IllegalArgumentException if it is another instrument or day
  public void follow(DayTicks later) {
    if (!later.instrument().equals(ticks.instrument())
        || later.count() < firstTick + amounts.length
        || later.time(firstTick) != ticks.time(firstTick)) {
      throw new IllegalArgumentException(
          "ticks must be the same day's with %d ticks or more, was %s with %d"
              .formatted(firstTick + amounts.length, later.instrument(), later.count()));
    }
    ticks = later;
  }

  DayTicks ticks() {
    return ticks;
  }

  Side side() {
    return side;
  }

  /// Returns the index of `tick` in the arrays.
  int slot(int tick) {
    return tick - firstTick;
  }

  /// Returns the prices; if there were none, those of the ticks before `from` are deal prices.
  double[] pricesFrom(int from) {
    double[] written = prices;
    if (written == null) {
      written = new double[amounts.length];
      System.arraycopy(ticks.prices(), firstTick, written, 0, slot(from));
      prices = written;
    }
    return written;
  }

  double push() {
    return push;
  }

  void setPush(double fraction) {
    push = fraction;
  }

  double commission() {
    return commission;
  }

  void setCommission(double money) {
    commission = money;
  }
}
