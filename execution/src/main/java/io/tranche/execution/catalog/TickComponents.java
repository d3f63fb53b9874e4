package io.tranche.execution.catalog;

import io.tranche.config.Component;
import io.tranche.config.ConfigNode;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.TickSource;
import io.tranche.market.feature.FeatureStore;
import io.tranche.market.feature.HandlerPickles;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import java.nio.file.Path;
import java.util.List;

/// Sources of prices and volumes by name. Paths are relative to the working directory.
final class TickComponents {

  /// About 10 MB of 240 ticks.
  private static final int CACHED_DAYS = 2048;

  private static final Path HERE = Path.of("");

  private TickComponents() {}

  static List<Component<TickSource>> all() {
    return List.of(
        Component.of(
            TickSource.class,
            "FeatureStore",
            "the backtest columns of a feature store",
            TickComponents::store),
        Component.of(
            TickSource.class,
            "HandlerPickles",
            "the backtest files of Qlib's gen_pickle_data.py",
            TickComponents::handler),
        Component.of(
            TickSource.class,
            "PickleStyledFiles",
            "pickle-styled files; deal_price is close, bid_or_ask or bid_or_ask_fill",
            TickComponents::styled),
        Component.of(
            TickSource.class,
            "BarFiles",
            "bars in any form; deal_price is close, bid_or_ask or bid_or_ask_fill",
            TickComponents::bars));
  }

  private static TickSource store(ConfigNode settings) {
    settings.rejectUnknown(List.of("path", "cached_days"));
    return CachedTicks.of(FeatureStore.open(path(settings)), cachedDays(settings));
  }

  private static TickSource handler(ConfigNode settings) {
    settings.rejectUnknown(List.of("path", "cached_days"));
    return CachedTicks.of(
        HandlerPickles.open(path(settings), CachedTicks.COLUMNS, true, 1), cachedDays(settings));
  }

  private static TickSource styled(ConfigNode settings) {
    settings.rejectUnknown(List.of("path", "deal_price", "cached_days"));
    return CachedTicks.ofPickles(path(settings), dealPrice(settings), cachedDays(settings));
  }

  private static TickSource bars(ConfigNode settings) {
    settings.rejectUnknown(List.of("path", "deal_price", "cached_days"));
    return CachedTicks.of(
        BarFiles.open(path(settings), ColumnMapping.DEFAULT),
        dealPrice(settings),
        cachedDays(settings));
  }

  private static Path path(ConfigNode settings) {
    return settings.required("path").asPath(HERE);
  }

  private static DealPrice dealPrice(ConfigNode settings) {
    return DealPrice.parse(settings.textOr("deal_price", "close"));
  }

  private static int cachedDays(ConfigNode settings) {
    return settings.countOr("cached_days", CACHED_DAYS);
  }
}
