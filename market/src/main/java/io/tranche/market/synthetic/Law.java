package io.tranche.market.synthetic;

import java.util.Locale;

/// What there is to learn in the embedded market. Only [#PULSE] has the form of the recipe's
/// features.
public enum Law {
  /// Returns continue on busy days and reverse on quiet ones; the volume tells which. The recipe's
  /// features are the numbers that decide.
  PULSE,
  /// A bar with a large trade, known by its volume, moves the price, and most of that move is taken
  /// back. Other moves stay.
  REVERSAL,
  /// Every tenth instrument leads: the nine after it follow its returns with a delay. Nothing in
  /// their own bars says where it went.
  LEAD_LAG,
  /// The whole market goes on for days with returns that continue, then for days with returns that
  /// reverse. Volume does not tell which; only the days before do.
  REGIMES,
  /// Nothing but a drift, which changes sign between training, validation and test.
  DRIFT,
  /// The sizes at the best bid and ask lean to the side that presses the price. Bars have quotes.
  FLOW,
  /// Prices cannot be predicted, but our own trading moves them, and the move fades.
  IMPACT;

  /// Returns the word that configurations use.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
