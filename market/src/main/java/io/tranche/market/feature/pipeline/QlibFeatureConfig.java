package io.tranche.market.feature.pipeline;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.market.Frequency;
import io.tranche.market.feature.pipeline.GroupStatistics.Deviation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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
    ConfigNode frequency = node.required("freq");
    ConfigNode features = handler(node.required("feature_conf"), "HighFreqGeneralHandler");
    ConfigNode backtest = handler(node.required("backtest_conf"), "HighFreqGeneralBacktestHandler");
    ConfigNode stores = node.required("qlib_conf").required("provider_uri");
    ConfigNode store = stores.isMapping() ? stores.required(frequency.asText()) : stores;
    return new QlibFeatureConfig(
        store.asPath(Path.of("")),
        frequency(frequency),
        new FeatureConfig(
            FeatureConfig.time(features.required("start_time"), false),
            FeatureConfig.time(features.required("end_time"), false),
            FeatureConfig.time(features.required("fit_start_time"), false),
            FeatureConfig.time(features.required("fit_end_time"), true),
            features.intOr("day_length", 240),
            features.required("columns").asTexts(),
            groups(features),
            Deviation.OF_ABSOLUTE_DISTANCES,
            backtest.required("columns").asTexts().contains("$vwap"),
            instruments(features)));
  }

  private static ConfigNode handler(ConfigNode dataset, String name) {
    ConfigNode handler = dataset.required("kwargs").required("handler");
    ConfigNode found = handler.required("class");
    if (!found.asText().equals(name)) {
      throw found.wrong(name);
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

  private static List<String> instruments(ConfigNode features) {
    ConfigNode instruments = features.required("instruments");
    if (instruments.isList()) {
      return instruments.asTexts();
    }
    if (!instruments.asText().equals("all")) {
      throw instruments.wrong("all, or a list of codes");
    }
    return List.of();
  }

  private static Frequency frequency(ConfigNode node) {
    try {
      return Frequency.parse(node.asText());
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw node.wrong("a bar width such as 5min");
    }
  }
}
