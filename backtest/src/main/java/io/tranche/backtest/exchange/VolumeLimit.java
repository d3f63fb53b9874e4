package io.tranche.backtest.exchange;

import io.tranche.market.Side;
import org.jspecify.annotations.Nullable;

/// How much of an order the exchange fills at most.
///
/// @param expression gives the limit at each bar
/// @param side that it limits; null for both sides
public record VolumeLimit(Kind kind, String expression, @Nullable Side side) {

  /// What the expression's values mean.
  public enum Kind {
    /// The maximum of each bar; an order may fill their sum over its interval.
    CURRENT,
    /// The maximum since the start of the day, earlier fills included.
    CUMULATIVE
  }

  boolean binds(Side trading) {
    return side == null || side == trading;
  }
}
