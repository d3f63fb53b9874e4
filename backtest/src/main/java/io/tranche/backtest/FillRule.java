package io.tranche.backtest;

/// How child orders fill at bars, and what happens to the rest of an order at its end. The
/// simulator and its dialect choose it, never the command.
///
/// Qlib's exchange has rules of its own: [io.tranche.backtest.exchange.Exchange].
public enum FillRule {

  /// The last decision sends everything that remains, whatever it asked for. A market order, a
  /// cancel and a decision to wait are spread over the tradable ticks of that step; a limit order
  /// rests with everything, and what it has not filled trades at the last tradable tick. Ticks
  /// without a bar do not trade.
  NATIVE,

  /// Qlib's simple simulator: the last decision trades what it asked for, and the final tick takes
  /// all the rest. No tick counts as missing, NaN volumes make NaN fills, and the cap on float32
  /// volumes is a float32.
  QLIB_SIMPLE
}
