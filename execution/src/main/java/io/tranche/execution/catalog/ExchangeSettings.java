package io.tranche.execution.catalog;

import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.exchange.ExchangeCosts;
import io.tranche.backtest.exchange.PriceLimit;
import io.tranche.backtest.exchange.Rounding;
import io.tranche.backtest.exchange.VolumeLimit;
import io.tranche.config.ConfigNode;
import io.tranche.market.Side;
import io.tranche.market.store.QlibRegion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the rules of an exchange as Qlib's backtest configurations state them.
///
/// Where a setting is missing or null, the limit is the region's, 9.5 % in China, and the price is
/// the close (quirk Q28). A pair is a list of two.
public final class ExchangeSettings {

  private static final List<String> KEYS =
      List.of(
          ("freq start_time end_time codes deal_price subscribe_fields limit_threshold"
                  + " volume_threshold open_cost close_cost min_cost impact_cost trade_unit cash_limit")
              .split(" "));

  private ExchangeSettings() {}

  /// Reads an exchange in China.
  ///
  /// @throws io.tranche.config.ConfigException if a setting is unknown or wrong
  public static ExchangeConfig qlib(ConfigNode settings) {
    return qlib(settings, QlibRegion.CN);
  }

  /// @throws io.tranche.config.ConfigException if a setting is unknown or wrong
  public static ExchangeConfig qlib(ConfigNode settings, QlibRegion region) {
    settings.rejectUnknown(KEYS);
    List<String> prices = prices(settings.optional("deal_price"));
    return new ExchangeConfig(
        prices.getFirst(),
        prices.getLast(),
        priceLimit(settings.optional("limit_threshold"), region),
        volumeLimits(settings.optional("volume_threshold")),
        new ExchangeCosts(
            settings.notNegativeOr("open_cost", 0.0015),
            settings.notNegativeOr("close_cost", 0.0025),
            settings.notNegativeOr("min_cost", 5)),
        settings.notNegativeOr("impact_cost", 0),
        tradeUnit(settings, region),
        Rounding.TENTH_SHARE_UP);
  }

  /// Returns the cash that accounts begin with, null if there is no limit.
  public static @Nullable Double cashLimit(ConfigNode settings) {
    ConfigNode cash = settings.optional("cash_limit");
    return cash == null ? null : (Double) cash.asNotNegative();
  }

  private static double tradeUnit(ConfigNode settings, QlibRegion region) {
    ConfigNode unit = settings.written("trade_unit");
    if (unit == null) {
      return region.tradeUnit();
    }
    return unit.isNull() ? 0 : unit.asNotNegative();
  }

  private static List<String> prices(@Nullable ConfigNode node) {
    if (node == null) {
      return List.of("$close");
    }
    if (node.isList()) {
      return pair(node);
    }
    String price = node.asText();
    if (price.isEmpty()) {
      throw node.wrong("a price such as close");
    }
    return List.of(price.startsWith("$") ? price : "$" + price);
  }

  private static PriceLimit priceLimit(@Nullable ConfigNode node, QlibRegion region) {
    if (node == null) {
      return Double.isInfinite(region.limit())
          ? new PriceLimit.None()
          : new PriceLimit.Change(region.limit());
    }
    if (node.isList()) {
      List<String> flags = pair(node);
      return new PriceLimit.Flags(flags.getFirst(), flags.getLast());
    }
    if (!Double.isFinite(node.asDouble())) {
      throw node.wrong("a number, or a pair of expressions");
    }
    return new PriceLimit.Change(node.asDouble());
  }

  private static List<VolumeLimit> volumeLimits(@Nullable ConfigNode node) {
    if (node == null) {
      return List.of();
    }
    if (node.isList()) {
      return List.of(volumeLimit(node, null));
    }
    node.rejectUnknown(List.of("all", "buy", "sell"));
    var limits = new ArrayList<VolumeLimit>();
    for (String key : node.keys()) {
      Side side =
          switch (key) {
            case "buy" -> Side.BUY;
            case "sell" -> Side.SELL;
            default -> null;
          };
      limits.add(volumeLimit(node.required(key), side));
    }
    return limits;
  }

  private static VolumeLimit volumeLimit(ConfigNode node, @Nullable Side side) {
    List<String> parts = pair(node);
    VolumeLimit.Kind kind =
        switch (parts.getFirst()) {
          case "current" -> VolumeLimit.Kind.CURRENT;
          case "cum" -> VolumeLimit.Kind.CUMULATIVE;
          default -> throw node.wrong("a pair of current or cum and an expression");
        };
    return new VolumeLimit(kind, parts.getLast(), side);
  }

  private static List<String> pair(ConfigNode node) {
    List<String> parts = node.asTexts();
    if (parts.size() != 2) {
      throw node.wrong("a pair");
    }
    return parts;
  }
}
