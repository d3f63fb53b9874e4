package io.tranche.execution.catalog;

import io.tranche.config.Component;
import io.tranche.config.ConfigNode;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.StyledPickles;
import io.tranche.market.feature.pipeline.FeatureFiles;
import io.tranche.market.feature.pipeline.FeatureStore;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.feature.provider.FeatureProvider;
import io.tranche.market.feature.provider.TableFeatures;
import io.tranche.market.feature.provider.TableLeak;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sources of features by name. Paths are relative to the working directory.
final class FeatureComponents {

  /// About 80 MB with 240 ticks of 2 x 5 features, 16 MB with 48 ticks. Reading a day that is not
  /// cached reads a whole file again.
  static final int CACHED_DAYS = 8192;
  private static final Path HERE = Path.of("");

  private FeatureComponents() {}

  static List<Component<FeatureSource>> all(int dimension) {
    return new ComponentRows<>(FeatureSource.class)
        .qlib(
            List.of("qlib.rl.data.native"),
            "HandlerProcessedDataProvider",
            "features in the files of Qlib's gen_pickle_data.py",
            FeatureComponents::handler,
            "data_dir feature_columns_today feature_columns_yesterday backtest")
        .qlib(
            List.of("qlib.rl.data.pickle_styled"),
            "PickleProcessedDataProvider",
            "features in pickle-styled files; backtest_dir holds the times, ../backtest if not"
                + " given",
            settings -> styled(settings, dimension),
            "data_dir backtest_dir")
        .own(
            "FeatureStore",
            "features that our own pipeline wrote",
            FeatureComponents::store,
            "path today yesterday cached_days")
        .own(
            "ComputedFeatures",
            "features that providers compute from bars in any form, such as price_moves",
            FeatureComponents::computed,
            "path providers mapping cached_days neutral")
        .all();
  }

  /// A missing value is 0, the middle of every provider's range.
  private static FeatureSource computed(ConfigNode settings) {
    ConfigNode mapping = settings.optional("mapping");
    BarSource bars =
        BarFiles.openSessions(
            settings.required("path").asPath(HERE),
            mapping == null ? ColumnMapping.DEFAULT : ColumnMapping.from(mapping));
    List<FeatureProvider> providers =
        settings.required("providers").asList().stream()
            .map(entry -> FeatureProvider.from(entry, entry.isMapping() ? ticks(bars) : 0))
            .toList();
    for (FeatureProvider provider : providers) {
      if (provider instanceof TableFeatures) {
        TableLeak.require(provider, bars);
      }
    }
    return computed(
        bars,
        providers,
        settings.countOr("cached_days", CACHED_DAYS),
        settings.booleanOr("neutral", false));
  }

  /// Returns the bars of the longest day of the first instrument.
  private static int ticks(BarSource bars) {
    Calendar calendar = bars.series(bars.instruments().getFirst()).calendar();
    int longest = calendar.longestDay();
    return calendar.dayEnd(longest) - calendar.dayStart(longest);
  }

  static FeatureSource computed(
      BarSource bars, List<FeatureProvider> providers, int cachedDays, boolean isNeutral) {
    return ComputedFeatures.of(CachedBars.byMemory(bars), providers, 0, cachedDays, isNeutral);
  }

  private static FeatureSource handler(ConfigNode settings) {
    return FeatureFiles.open(
        settings.required("data_dir").asPath(HERE),
        new FeatureColumns(
            settings.required("feature_columns_today").asTexts(),
            settings.required("feature_columns_yesterday").asTexts()),
        settings.booleanOr("backtest", false),
        CACHED_DAYS);
  }

  private static FeatureSource styled(ConfigNode settings, int dimension) {
    Path folder = settings.required("data_dir").asPath(HERE);
    ConfigNode backtest = settings.optional("backtest_dir");
    return StyledPickles.open(
        folder,
        backtest == null
            ? folder.toAbsolutePath().normalize().resolveSibling("backtest")
            : backtest.asPath(HERE),
        dimension,
        CACHED_DAYS);
  }

  private static FeatureSource store(ConfigNode settings) {
    ConfigNode today = settings.required("today");
    ConfigNode yesterday = settings.optional("yesterday");
    return FeatureStore.open(settings.required("path").asPath(HERE))
        .features(
            new FeatureColumns(today.asTexts(), yesterday(today, yesterday)),
            settings.countOr("cached_days", CACHED_DAYS));
  }

  /// Yesterday's columns are those of today with the suffix that the pipeline gives them.
  private static List<String> yesterday(ConfigNode today, @Nullable ConfigNode yesterday) {
    return yesterday == null
        ? today.asTexts().stream().map(name -> name + "_1").toList()
        : yesterday.asTexts();
  }
}
