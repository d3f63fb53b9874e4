package io.tranche.backtest.exchange;

import io.tranche.backtest.Costs;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The rules of an exchange.
///
/// @param buyPrice the expression for the price of purchases
/// @param sellPrice the expression for the price of sales
/// @param priceLimit where orders are blocked
/// @param volumeLimits how much may be filled; the smallest limit counts
/// @param costs fees of each fill; the minimum is charged once per fill
/// @param impactCost an additional cost: this fraction of a fill's value, times the square of its
///   share in the market's turnover
/// @param tradeUnit fills are multiples of this many unadjusted shares; 0 is off
/// @param rounding how amounts become multiples of the unit
public record ExchangeConfig(
    String buyPrice,
    String sellPrice,
    PriceLimit priceLimit,
    List<VolumeLimit> volumeLimits,
    ExchangeCosts costs,
    double impactCost,
    double tradeUnit,
    Rounding rounding) {

  static final String CLOSE = "$close";
  static final String CHANGE = "$change";
  static final String FACTOR = "$factor";
  static final String VOLUME = "$volume";

  /// Fills at the close, without limits, costs or units.
  public static final ExchangeConfig DEFAULT =
      new ExchangeConfig(
          CLOSE, CLOSE, new PriceLimit.None(), List.of(), ExchangeCosts.NONE, 0, 0, Rounding.DOWN);

  public ExchangeConfig {
    volumeLimits = List.copyOf(volumeLimits);
    Costs.requireNotNegative("impactCost", impactCost);
    Costs.requireNotNegative("tradeUnit", tradeUnit);
  }

  /// Returns the expressions needed at each bar.
  Set<String> expressions() {
    var expressions = new LinkedHashSet<String>();
    expressions.addAll(List.of(buyPrice, sellPrice, CLOSE, CHANGE, FACTOR, VOLUME));
    if (priceLimit instanceof PriceLimit.Flags(String buy, String sell)) {
      expressions.add(buy);
      expressions.add(sell);
    }
    volumeLimits.forEach(limit -> expressions.add(limit.expression()));
    return expressions;
  }

  public ExchangeConfig withPrices(String buy, String sell) {
    return new ExchangeConfig(
        buy, sell, priceLimit, volumeLimits, costs, impactCost, tradeUnit, rounding);
  }

  public ExchangeConfig withPriceLimit(PriceLimit limit) {
    return new ExchangeConfig(
        buyPrice, sellPrice, limit, volumeLimits, costs, impactCost, tradeUnit, rounding);
  }

  public ExchangeConfig withVolumeLimits(List<VolumeLimit> limits) {
    return new ExchangeConfig(
        buyPrice, sellPrice, priceLimit, limits, costs, impactCost, tradeUnit, rounding);
  }

  public ExchangeConfig withCosts(ExchangeCosts fees, double impact) {
    return new ExchangeConfig(
        buyPrice, sellPrice, priceLimit, volumeLimits, fees, impact, tradeUnit, rounding);
  }

  public ExchangeConfig withTradeUnit(double shares, Rounding rule) {
    return new ExchangeConfig(
        buyPrice, sellPrice, priceLimit, volumeLimits, costs, impactCost, shares, rule);
  }
}
