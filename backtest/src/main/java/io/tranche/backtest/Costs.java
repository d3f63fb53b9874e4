package io.tranche.backtest;

import io.tranche.market.Side;

/// What trading costs in addition to the price: a share of each fill's value, and at least a
/// minimum.
///
/// @param buyRate fees of a purchase as a fraction of its value
/// @param sellRate fees of a sale as a fraction of its value
/// @param minimum the smallest fee of a fill, in money
public record Costs(double buyRate, double sellRate, double minimum) {

  public static final Costs NONE = new Costs(0, 0, 0);

  public Costs {
    requireNotNegative("buyRate", buyRate);
    requireNotNegative("sellRate", sellRate);
    requireNotNegative("minimum", minimum);
  }

  /// @throws IllegalArgumentException naming `name`, if the value is negative, infinite or NaN
  public static void requireNotNegative(String name, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be finite and not negative, was " + value);
    }
  }

  /// Returns the fee of a fill; 0 if nothing is filled.
  public double of(Side side, double value) {
    if (!(value > 0)) {
      return 0;
    }
    return Math.max(value * (side == Side.BUY ? buyRate : sellRate), minimum);
  }
}
