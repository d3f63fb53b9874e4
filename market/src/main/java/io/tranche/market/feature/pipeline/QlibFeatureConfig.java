package io.tranche.market.feature.pipeline;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Qlib's `pickle_data_config.yml`, unchanged.
///
/// Reads what Qlib reads and ignores what Qlib ignores. As in Qlib, paths are relative to the
/// current directory, a date-only end means midnight, and the end of the fit means the whole day.
///
/// @param store the `.bin` store that `qlib_conf` names
public record QlibFeatureConfig(Path store, Frequency frequency, FeatureConfig features) {

  /// Whether a configuration is Qlib's rather than a native one.
  public static boolean isQlib(ConfigNode node) {
    return node.has("feature_conf");
  }

  /// @throws ConfigException if something is missing or of another handler
  public static QlibFeatureConfig from(ConfigNode node) {
    return from(node, null);
  }

  /// @param other the store to use in place of the one that `qlib_conf` names
  /// @throws ConfigException if something is missing or of another handler
  public static QlibFeatureConfig from(ConfigNode node, @Nullable Path other) {
    ConfigNode frequency = node.required("freq");
    ConfigNode features = handler(node.required("feature_conf"), "HighFreqGeneralHandler");
    ConfigNode backtest = handler(node.required("backtest_conf"), "HighFreqGeneralBacktestHandler");
    ConfigNode stores = node.required("qlib_conf").required("provider_uri");
    ConfigNode store = stores.isMapping() ? stores.required(frequency.asText()) : stores;
    Path folder = other == null ? store.asPath(Path.of("")) : other;
    long start = FeatureConfig.time(features.required("start_time"), false);
    long end = FeatureConfig.time(features.required("end_time"), false);
    requireWindow(features, start, end);
    requireWindow(backtest, start, end);
    return new QlibFeatureConfig(
        folder,
        frequency(frequency),
        FeatureConfig.qlib(
                start,
                end,
                features.intOr("day_length", 240),
                features.required("columns").asTexts(),
                groups(features))
            .withFit(
                FeatureConfig.time(features.required("fit_start_time"), false),
                FeatureConfig.time(features.required("fit_end_time"), true))
            .withBacktestVwap(backtest.required("columns").asTexts().contains("$vwap"))
            .withInstruments(
                instruments(
                    features.required("instruments"), folder, frequency(frequency), start, end)));
  }

  private static ConfigNode handler(ConfigNode dataset, String name) {
    ConfigNode handler = dataset.required("kwargs").required("handler");
    ConfigNode found = handler.required("class");
    if (!found.asText().equals(name)) {
      throw found.wrong(name + " (other features: a native configuration, docs/features.md)");
    }
    return handler.required("kwargs");
  }

  private static Map<String, Integer> groups(ConfigNode features) {
    for (ConfigNode processor : features.required("infer_processors").asList()) {
      if (processor.required("class").asText().equals("HighFreqNorm")) {
        return FeatureConfig.groups(processor.required("kwargs").required("norm_groups"));
      }
    }
    throw features.required("infer_processors").wrong("a processor HighFreqNorm");
  }

  /// Qlib's filter of instruments may have a window of its own; here it is that of the features.
  private static void requireWindow(ConfigNode handler, long start, long end) {
    ConfigNode processors = handler.optional("inst_processors");
    for (ConfigNode each : processors == null ? List.<ConfigNode>of() : processors.asList()) {
      if (!each.required("class").asText().equals("TimeRangeFlt")) {
        throw each.required("class").wrong("TimeRangeFlt");
      }
      ConfigNode window = each.required("kwargs");
      if (FeatureConfig.time(window.required("start_time"), false) != start) {
        throw window.required("start_time").wrong("the start_time of the handler");
      }
      if (FeatureConfig.time(window.required("end_time"), false) != end) {
        throw window.required("end_time").wrong("the end_time of the handler");
      }
    }
  }

  /// Returns codes, or those of a market of the store that are in it during the whole window.
  private static List<String> instruments(
      ConfigNode node, Path store, Frequency frequency, long start, long end) {
    if (node.isList()) {
      return node.asTexts();
    }
    if (node.asText().equals("all")) {
      return List.of();
    }
    var markets = QlibStore.markets(store);
    if (!markets.contains(node.asText().toLowerCase(Locale.ROOT))) {
      throw node.wrong("a list of codes, or a market of %s: %s".formatted(store, markets));
    }
    List<String> codes;
    try (QlibStore bars = QlibStore.open(store, frequency)) {
      codes = bars.members(node.asText(), start, end);
    }
    if (codes.isEmpty()) {
      throw node.wrong(
          "a market of %s with instruments from %s to %s"
              .formatted(store, BarTime.format(start), BarTime.format(end)));
    }
    return codes;
  }

  private static Frequency frequency(ConfigNode node) {
    try {
      return Frequency.parse(node.asText());
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw node.wrong("a bar width such as 5min");
    }
  }
}
