package io.tranche.backtest.exchange;

/// At which bars the exchange's price limit blocks an order. Bars without a close are blocked under
/// each of them.
public sealed interface PriceLimit {

  /// No limit.
  record None() implements PriceLimit {}

  /// Buying is blocked where the price is up by `fraction` since the previous close, selling where
  /// it is down by it; a change that is not known blocks nothing.
  record Change(double fraction) implements PriceLimit {
    public Change {
      if (!(fraction > 0)) {
        throw new IllegalArgumentException("fraction must be positive, was " + fraction);
      }
    }
  }

  /// Blocked where an expression is anything but zero; NaN blocks.
  record Flags(String buy, String sell) implements PriceLimit {}
}
