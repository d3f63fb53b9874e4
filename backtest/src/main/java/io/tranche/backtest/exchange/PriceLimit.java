package io.tranche.backtest.exchange;

/// At which bars the exchange's price limit blocks an order. Bars without a close are always
/// blocked.
public sealed interface PriceLimit {

  /// No limit.
  record None() implements PriceLimit {}

  /// Buying is blocked where the price is up by `fraction` since the previous close, selling where
  /// it is down by it; an unknown change blocks nothing.
  record Change(double fraction) implements PriceLimit {
    public Change {
      if (!(fraction > 0)) {
        throw new IllegalArgumentException("fraction must be positive, was " + fraction);
      }
    }
  }

  /// Blocked where an expression is not zero; NaN blocks.
  record Flags(String buy, String sell) implements PriceLimit {}
}
