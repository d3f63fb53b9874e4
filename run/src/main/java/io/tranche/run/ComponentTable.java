package io.tranche.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.backtest.executor.Strategy;
import io.tranche.config.Catalog;
import io.tranche.config.ComponentSpec;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.catalog.StrategySources;
import io.tranche.market.feature.provider.FeatureProvider;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.Features;
import io.tranche.trainer.catalog.TrainerCatalog;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// All that configurations may name.
public final class ComponentTable {

  /// A name.
  ///
  /// @param kind the key that takes it
  /// @param modulePaths Qlib's modules; empty for a native name
  public record Row(String kind, String name, List<String> modulePaths, String summary) {

    public Row {
      modulePaths = List.copyOf(modulePaths);
    }
  }

  private ComponentTable() {}

  /// A setting of a component.
  ///
  /// @param byDefault its value when it is not given, `required` if it must be
  public record Setting(String key, String byDefault, String meaning) {}

  /// Returns the settings of a built-in component; none if it has none or is not built in.
  public static List<Setting> settings(String name) {
    var settings = new ArrayList<Setting>();
    for (String line : lines("settings.txt")) {
      String[] parts = line.split(" \\| ", 4);
      if (parts.length == 4 && parts[0].equals(name)) {
        settings.add(new Setting(parts[1], parts[2], parts[3]));
      }
    }
    return settings;
  }

  static List<String> lines(String resource) {
    try (InputStream in = ComponentTable.class.getResourceAsStream(resource)) {
      return new String(Objects.requireNonNull(in, resource).readAllBytes(), UTF_8)
          .lines()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns everything, with what providers on the class path add.
  public static List<Row> all() {
    var rows = new ArrayList<Row>();
    for (var entry : catalogs().entrySet()) {
      for (var each : entry.getValue().components()) {
        rows.add(new Row(entry.getKey(), each.name(), each.modulePaths(), each.summary()));
      }
    }
    for (var each : strategies().components()) {
      rows.add(new Row("strategies", each.name(), each.modulePaths(), each.summary()));
    }
    return rows;
  }

  /// Returns the strategies of a backtest file, to be listed: nothing is made of these bars.
  private static Catalog<Strategy.Factory> strategies() {
    var bars = new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(1, 1));
    return ExecutionCatalog.strategies(
            StrategySources.of(
                bars,
                _ -> {
                  throw new IllegalStateException("listed strategies must not be used");
                }))
        .withInstalled();
  }

  /// Refuses names in `run` that do not exist, before any data are opened.
  ///
  /// @throws io.tranche.config.ConfigException naming the nearest one
  static void requireNames(ExecutionRun run) {
    Map<String, Catalog<?>> catalogs = catalogs();
    if (run.data() instanceof BarData data
        && data.features() instanceof Features.Provided provided) {
      List<FeatureProvider> _ = provided.providers(); // fails if a name is not installed
    }
    for (var entry : run.parts().entrySet()) {
      Catalog<?> catalog = catalogs.get(entry.getKey().replaceAll("\\[\\d+]$", ""));
      if (catalog != null && entry.getValue() instanceof Part.Named<?>(ComponentSpec spec)) {
        catalog.find(spec);
      }
    }
  }

  static Map<String, Catalog<?>> catalogs() {
    var catalogs = new LinkedHashMap<String, Catalog<?>>();
    catalogs.put("simulator", ExecutionCatalog.simulators(1));
    catalogs.put("state_interpreter", ExecutionCatalog.stateInterpreters(null));
    catalogs.put("action_interpreter", ExecutionCatalog.actionInterpreters());
    catalogs.put("reward", ExecutionCatalog.rewards());
    catalogs.put("network", PolicyCatalog.networks());
    catalogs.put("layer", PolicyCatalog.layers());
    catalogs.put("policy", PolicyCatalog.agents());
    catalogs.put("aux_info", ExecutionCatalog.auxInfos());
    catalogs.put(ExecutionRun.METRICS, ExecutionCatalog.metrics());
    catalogs.put(ExecutionRun.CALLBACKS, TrainerCatalog.callbacks());
    catalogs.put(ExecutionRun.LOG_WRITERS, TrainerCatalog.logWriters());
    catalogs.put("features", ExecutionCatalog.featureSources(1));
    catalogs.replaceAll((_, catalog) -> catalog.withInstalled());
    return catalogs;
  }
}
