package io.tranche.serving;

import java.util.Locale;

/// A limit of the risk check. Its name in lower case is the key in configurations and the word in
/// answers. What is not set does not limit; what is set and cannot be checked, because a price or a
/// volume is not known, lets nothing trade.
public enum Limit {
  /// The largest amount of an order.
  ORDER_AMOUNT,
  /// The largest amount of an order times the known price.
  ORDER_VALUE,
  /// How many other orders of the same account, instrument, side and amount may be open.
  DUPLICATES(0),
  /// How many orders on the other side of the instrument may be open.
  CROSSING(0),
  /// How many orders and decisions may be requested in a second.
  MESSAGES_PER_SECOND,
  /// How many child orders may be sent before an operator sets the limits again.
  EXECUTIONS,
  /// How old the newest bar may be, in seconds.
  BAR_AGE_SECONDS,
  /// The largest volume of a child order.
  SLICE,
  /// The largest volume of a child order as a share of its order.
  SLICE_SHARE,
  /// The largest value of a child order.
  CHILD_VALUE,
  /// The largest share of the market volume in the newest bars that all orders of the instrument
  /// together may have filled there and have out.
  PARTICIPATION,
  /// How many of the newest bars count for `PARTICIPATION`; not a limit by itself.
  PARTICIPATION_BARS(1),
  /// As `PARTICIPATION`, since the day began.
  PARTICIPATION_DAY,
  /// How far the newest close may be from the price that the order first saw, in basis points.
  BAND_BPS,
  /// How far the newest close may be from the price that the desk gave, in basis points.
  COLLAR_BPS,
  /// The largest value that is bought less sold, or sold less bought, including what is out.
  NET_VALUE(0),
  /// The largest value of all that was filled and is out.
  GROSS_VALUE(0),
  /// Volumes of child orders are multiples of it, rounded down.
  LOT,
  /// Limit prices of child orders are multiples of it, rounded away from the market.
  TICK;

  private final double least;
  private final String key = name().toLowerCase(Locale.ROOT);

  Limit() {
    this(Double.MIN_VALUE);
  }

  Limit(double least) {
    this.least = least;
  }

  /// Returns the smallest value that makes sense.
  double least() {
    return least;
  }

  /// Returns the word for it in answers.
  public String word() {
    return this == BAND_BPS ? "price_band" : key;
  }

  /// Returns its name in lower case.
  public String key() {
    return key;
  }
}
