package io.tranche.execution.catalog;

import io.tranche.backtest.Costs;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Impact;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Frictions and costs as text: what configurations and bundles say, read and written.
public final class FrictionSettings {

  private static final String COMMISSION = "commission";
  private static final String MINIMUM = "minimum";
  private static final String PARTICIPATION = "participation";
  private static final String PRICE_LIMIT = "price_limit";
  private static final String COSTS = "costs";
  private static final String IMPACT = "impact";

  /// The keys of frictions.
  public static final List<String> KEYS =
      List.of(PARTICIPATION, "lot", PRICE_LIMIT, "latency", COSTS, IMPACT);

  private static final List<String> COST_KEYS =
      List.of(
          "preset",
          COMMISSION,
          MINIMUM,
          "minimum_per",
          "buy_tax",
          "sell_tax",
          "half_spread_bps",
          IMPACT,
          "buy",
          "sell");

  private FrictionSettings() {}

  /// Reads frictions; other keys of `settings` are none of its business.
  ///
  /// @throws ConfigException naming the place of what is wrong
  public static Frictions frictions(ConfigNode settings) {
    ConfigNode stated = settings.optional(COSTS);
    Costs costs = stated == null ? Costs.NONE : costs(stated);
    ConfigNode impact = settings.optional(IMPACT);
    if (impact != null) {
      if (!costs.impacts().isEmpty()) {
        throw impact.wrong("the impact in one place, here or in costs");
      }
      costs = costs.withImpacts(impacts(impact));
    }
    return new Frictions(
        settings.notNegativeOr(PARTICIPATION, Double.POSITIVE_INFINITY),
        settings.notNegativeOr("lot", 0),
        priceLimit(settings.optional(PRICE_LIMIT)),
        latency(settings),
        costs);
  }

  /// Reads costs: the name of a preset, or keys, or both, where keys change the preset. The old
  /// keys `buy` and `sell` are rates with the smaller one as the commission, and a minimum beside
  /// them is for every fill.
  ///
  /// @throws ConfigException naming the place of what is wrong
  public static Costs costs(ConfigNode node) {
    if (!node.isMapping()) {
      return preset(node);
    }
    node.rejectUnknown(COST_KEYS);
    ConfigNode preset = node.optional("preset");
    Costs base = preset == null ? Costs.NONE : preset(preset);
    boolean isOld = node.has("buy") || node.has("sell");
    if (isOld) {
      for (String key : List.of("preset", COMMISSION, "buy_tax", "sell_tax")) {
        if (node.has(key)) {
          throw node.required(key).wrong("no such key beside the old keys buy and sell");
        }
      }
      double buy = node.notNegativeOr("buy", 0);
      double sell = node.notNegativeOr("sell", 0);
      double both = Math.min(buy, sell);
      base = base.withCommission(both).withTaxes(buy - both, sell - both);
    }
    ConfigNode unit = node.optional("minimum_per");
    Costs costs =
        base.withCommission(node.notNegativeOr(COMMISSION, base.commission()))
            .withMinimum(
                node.notNegativeOr(MINIMUM, base.minimum()),
                unit == null ? (isOld ? Costs.Unit.FILL : base.minimumPer()) : unit(unit))
            .withTaxes(
                node.notNegativeOr("buy_tax", base.buyTax()),
                node.notNegativeOr("sell_tax", base.sellTax()))
            .withHalfSpread(node.notNegativeOr("half_spread_bps", base.halfSpreadBps()));
    ConfigNode impact = node.optional(IMPACT);
    return impact == null ? costs : costs.withImpacts(impacts(impact));
  }

  private static Costs preset(ConfigNode node) {
    return Costs.preset(node.asChoice(Costs.presets()));
  }

  private static Costs.Unit unit(ConfigNode node) {
    List<String> words = Arrays.stream(Costs.Unit.values()).map(FrictionSettings::word).toList();
    return Costs.Unit.valueOf(node.asChoice(words).toUpperCase(Locale.ROOT));
  }

  private static String word(Costs.Unit unit) {
    return unit.name().toLowerCase(Locale.ROOT);
  }

  private static double priceLimit(@Nullable ConfigNode node) {
    if (node == null) {
      return Double.POSITIVE_INFINITY;
    }
    if (!(node.asDouble() > 0)) {
      throw node.wrong("a positive number");
    }
    return node.asDouble();
  }

  private static int latency(ConfigNode settings) {
    int ticks = settings.intOr("latency", 0);
    if (ticks < 0) {
      throw settings.required("latency").wrong("an integer of at least 0");
    }
    return ticks;
  }

  private static Impact[] impacts(ConfigNode node) {
    node.rejectUnknown(List.of("linear", "square_root", "transient"));
    var impacts = new ArrayList<Impact>();
    double linear = node.notNegativeOr("linear", 0);
    if (linear > 0) {
      impacts.add(new Impact.Linear(linear));
    }
    double squareRoot = node.notNegativeOr("square_root", 0);
    if (squareRoot > 0) {
      impacts.add(new Impact.SquareRoot(squareRoot));
    }
    ConfigNode push = node.optional("transient");
    if (push != null) {
      push.rejectUnknown(List.of("coefficient", "decay"));
      impacts.add(
          new Impact.Transient(
              push.required("coefficient").asNotNegative(),
              push.required("decay").asNumberIn(0, 1)));
    }
    return impacts.toArray(Impact[]::new);
  }

  /// Returns costs as [#costs] reads them: a text for none, else every key.
  public static Object describe(Costs costs) {
    if (costs.equals(Costs.NONE)) {
      return "none";
    }
    var keys = new LinkedHashMap<String, @Nullable Object>();
    keys.put(COMMISSION, costs.commission());
    keys.put(MINIMUM, costs.minimum());
    keys.put("minimum_per", word(costs.minimumPer()));
    keys.put("buy_tax", costs.buyTax());
    keys.put("sell_tax", costs.sellTax());
    keys.put("half_spread_bps", costs.halfSpreadBps());
    keys.put(IMPACT, costs.impacts().isEmpty() ? null : describe(costs.impacts()));
    return keys;
  }

  /// Returns frictions as [#frictions] reads them; what is off is left out.
  public static Map<String, Object> describe(Frictions frictions) {
    var keys = new LinkedHashMap<String, Object>();
    if (frictions.participation() < Double.POSITIVE_INFINITY) {
      keys.put(PARTICIPATION, frictions.participation());
    }
    if (frictions.lot() > 0) {
      keys.put("lot", frictions.lot());
    }
    if (frictions.priceLimit() < Double.POSITIVE_INFINITY) {
      keys.put(PRICE_LIMIT, frictions.priceLimit());
    }
    if (frictions.latency() > 0) {
      keys.put("latency", frictions.latency());
    }
    if (!frictions.costs().equals(Costs.NONE)) {
      keys.put(COSTS, describe(frictions.costs()));
    }
    return keys;
  }

  private static Map<String, Object> describe(List<Impact> impacts) {
    var keys = new LinkedHashMap<String, Object>();
    for (Impact impact : impacts) {
      switch (impact) {
        case Impact.Linear(double coefficient) ->
            keys.merge("linear", coefficient, FrictionSettings::sum);
        case Impact.SquareRoot(double coefficient) ->
            keys.merge("square_root", coefficient, FrictionSettings::sum);
        case Impact.Transient(double coefficient, double decay) ->
            keys.put(
                "transient", new TreeMap<>(Map.of("coefficient", coefficient, "decay", decay)));
      }
    }
    return keys;
  }

  private static Object sum(Object one, Object other) {
    return (Double) one + (Double) other;
  }
}
