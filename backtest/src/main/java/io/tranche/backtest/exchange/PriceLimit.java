package io.tranche.backtest.exchange;

/// At which bars the exchange's price limit blocks an order. Bars without a close are always
/// blocked.
public sealed interface PriceLimit {

  /// No limit.
  record None() implements PriceLimit {}

  /// Buying is blocked where the price is up by `fraction` since the previous close, selling where
  /// it is down by it; an unknown change blocks nothing. A negative fraction, which Qlib takes too,
  /// blocks most bars.
  record Change(double fraction) implements PriceLimit {
    public Change {
      if (!Double.isFinite(fraction)) {
        throw new IllegalArgumentException("fraction must be a number, was " + fraction);
      }
    }
  }

  /// Blocked where an expression is not zero; NaN blocks.
  record Flags(String buy, String sell) implements PriceLimit {}
}
