package io.tranche.backtest.exchange;

import io.tranche.backtest.Costs;

/// The fees of Qlib's exchange: a share of each fill's value, taxes included, and at least the
/// minimum for every fill. Elsewhere [Costs] say what trading costs.
///
/// @param buyRate fees of a purchase as a fraction of its value
/// @param sellRate fees of a sale as a fraction of its value
/// @param minimum the smallest fee of a fill, in money
public record ExchangeCosts(double buyRate, double sellRate, double minimum) {

  public static final ExchangeCosts NONE = new ExchangeCosts(0, 0, 0);

  public ExchangeCosts {
    Costs.requireNotNegative("buyRate", buyRate);
    Costs.requireNotNegative("sellRate", sellRate);
    Costs.requireNotNegative("minimum", minimum);
  }
}
