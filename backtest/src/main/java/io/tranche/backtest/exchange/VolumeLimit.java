package io.tranche.backtest.exchange;

import io.tranche.market.Side;
import org.jspecify.annotations.Nullable;

/// How much the exchange lets an order deal.
///
/// @param expression gives the limit at each bar
/// @param side whom it binds; null for both sides
public record VolumeLimit(Kind kind, String expression, @Nullable Side side) {

  /// What the expression's values mean.
  public enum Kind {
    /// What may be dealt in each bar; an order may deal their sum over its interval.
    CURRENT,
    /// What may be dealt since the day's beginning: what was dealt before counts.
    CUMULATIVE
  }

  boolean binds(Side trading) {
    return side == null || side == trading;
  }
}
