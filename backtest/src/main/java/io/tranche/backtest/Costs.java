package io.tranche.backtest;

import io.tranche.market.Side;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What trading costs: a commission with a minimum, taxes, the spread and impact. One value for
/// simulators, judgements, bundles and live orders.
///
/// Commission and taxes are fees, charged in addition to the price. Spread and impact are in the
/// price: a purchase pays 1 + f times the price, a sale gets the price divided by 1 + f, where f is
/// the sum of all of them.
///
/// @param commission as a fraction of the value filled
/// @param minimum the smallest commission, in money
/// @param minimumPer for what the minimum is charged. It falls due with the first fill, and what is
///   charged after each fill is the larger of the minimum and the commission so far: the sum is
///   right at every moment, live as in simulation
/// @param buyTax taxes and fixed levies of a purchase, as a fraction of its value
/// @param sellTax taxes and fixed levies of a sale, as a fraction of its value
/// @param halfSpreadBps what a market order pays at ticks without a quote, in basis points; at
///   ticks with quotes the deal price is what it pays
/// @param impacts how trading moves the price; they add up
public record Costs(
    double commission,
    double minimum,
    Unit minimumPer,
    double buyTax,
    double sellTax,
    double halfSpreadBps,
    List<Impact> impacts) {

  /// What a minimum is charged for.
  public enum Unit {
    /// The whole order.
    PARENT,
    /// What one decision sends.
    CHILD,
    /// What one bar fills.
    FILL
  }

  public static final Costs NONE = new Costs(0, 0, Unit.PARENT, 0, 0, 0, List.of());

  private static final Map<String, Costs> PRESETS = presetTable();

  public Costs {
    requireNotNegative("commission", commission);
    requireNotNegative("minimum", minimum);
    requireNotNegative("buyTax", buyTax);
    requireNotNegative("sellTax", sellTax);
    requireNotNegative("halfSpreadBps", halfSpreadBps);
    impacts = List.copyOf(impacts);
    if (impacts.stream().filter(Impact.Transient.class::isInstance).count() > 1) {
      throw new IllegalArgumentException(
          "impacts must have at most one that is transient, was " + impacts);
    }
  }

  /// The presets: what a client of medium size pays by the fees of 2025. Brokers differ, so a desk
  /// states its own where it knows them. docs/configuration.md has the sources.
  private static Map<String, Costs> presetTable() {
    var table = new LinkedHashMap<String, Costs>();
    table.put("none", NONE);
    // Stamp duty 0.05 % of sales (2023-08-28), transfer fee 0.001 % (2022-04-29).
    table.put(
        "cn_stocks",
        NONE.withCommission(0.00025)
            .withMinimum(5, Unit.PARENT)
            .withTaxes(0.00001, 0.00051)
            .withHalfSpread(1));
    // Stamp duty 0.1 % (2023-11-17), trading fee 0.00565 % (2023-01-01), levies of SFC 0.0027 %
    // and AFRC 0.00015 %, settlement fee 0.0042 % (2025-06-30).
    table.put(
        "hk_stocks",
        NONE.withCommission(0.0003)
            .withMinimum(3, Unit.PARENT)
            .withTaxes(0.001127, 0.001127)
            .withHalfSpread(3));
    // SEC fee of 27.80 per million of sales (2024-05-22 to 2025-05-13; later rates are lower).
    table.put(
        "us_stocks",
        NONE.withCommission(0.00005)
            .withMinimum(0.35, Unit.PARENT)
            .withTaxes(0, 0.0000278)
            .withHalfSpread(1));
    // Between 0.0023 % (stock indices) and 0.01 % (rebar, iron ore), or a fee per contract.
    table.put("cn_futures", NONE.withCommission(0.00005).withHalfSpread(1));
    // Makers and takers of the lowest tier pay the same.
    table.put("crypto", NONE.withCommission(0.001).withHalfSpread(0.5));
    return table;
  }

  /// Returns the costs that are typical of a market.
  ///
  /// @throws IllegalArgumentException naming the presets if `name` is none of them
  public static Costs preset(String name) {
    Costs costs = PRESETS.get(name);
    if (costs == null) {
      throw new IllegalArgumentException(
          "costs must be one of %s, was '%s'".formatted(presets(), name));
    }
    return costs;
  }

  /// Returns the names that [#preset] knows.
  public static List<String> presets() {
    return List.copyOf(PRESETS.keySet());
  }

  /// @throws IllegalArgumentException naming `name`, if the value is negative, infinite or NaN
  public static void requireNotNegative(String name, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be finite and not negative, was " + value);
    }
  }

  /// Returns the taxes of one side.
  public double tax(Side side) {
    return side == Side.BUY ? buyTax : sellTax;
  }

  /// Whether anything is charged in addition to the price.
  public boolean hasFees() {
    return commission > 0 || minimum > 0 || buyTax > 0 || sellTax > 0;
  }

  public Costs withCommission(double rate) {
    return new Costs(rate, minimum, minimumPer, buyTax, sellTax, halfSpreadBps, impacts);
  }

  public Costs withMinimum(double money, Unit unit) {
    return new Costs(commission, money, unit, buyTax, sellTax, halfSpreadBps, impacts);
  }

  public Costs withTaxes(double buying, double selling) {
    return new Costs(commission, minimum, minimumPer, buying, selling, halfSpreadBps, impacts);
  }

  public Costs withHalfSpread(double bps) {
    return new Costs(commission, minimum, minimumPer, buyTax, sellTax, bps, impacts);
  }

  public Costs withImpacts(Impact... parts) {
    return new Costs(
        commission, minimum, minimumPer, buyTax, sellTax, halfSpreadBps, List.of(parts));
  }
}
