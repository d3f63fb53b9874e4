package io.tranche.experiment;

import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.market.feature.FeatureStore;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Puts the problem together: what its parts leave open follows from the data.
record NativeEnvironment(ConfigNode config, TradingDay day) {

  private static final Path HERE = Path.of("");
  private static final String SIMPLE = "SimpleSimulator";
  private static final String FULL_HISTORY = "FullHistoryInterpreter";

  ConfigNode over(@Nullable Path bars, @Nullable Path store) {
    ConfigNode ticks =
        store != null ? part("FeatureStore", store) : part("BarFiles", bars == null ? HERE : bars);
    return RunConfig.empty("environment")
        .with("ticks", ticks)
        .with("simulator", simulator())
        .with("state_interpreter", states(bars, store))
        .with("action_interpreter", config.required("action_interpreter"))
        .with("reward", config.required("reward"))
        .with(NativeConfig.HINDSIGHT, config.required(NativeConfig.HINDSIGHT));
  }

  private static ConfigNode part(String name, Path path) {
    return RunConfig.component(
        name, RunConfig.empty(name).with("path", text(path.toAbsolutePath().toString())));
  }

  private static ConfigNode text(String value) {
    return ConfigFiles.parse(
        "data", "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
  }

  private static ConfigNode number(int value) {
    return ConfigFiles.parse("data", Integer.toString(value));
  }

  private ConfigNode simulator() {
    ConfigNode given = config.required("simulator");
    ComponentSpec spec = ComponentSpec.from(given);
    return spec.name().equals(SIMPLE)
        ? given.with("kwargs", withDefault(spec.kwargs(), "data_granularity", day.minutesPerTick()))
        : given;
  }

  private static ConfigNode withDefault(ConfigNode kwargs, String key, int value) {
    return kwargs.has(key) ? kwargs : kwargs.with(key, number(value));
  }

  private ConfigNode states(@Nullable Path bars, @Nullable Path store) {
    ConfigNode given = config.required("state_interpreter");
    ComponentSpec spec = ComponentSpec.from(given);
    if (!spec.name().equals(FULL_HISTORY)) {
      return given;
    }
    ConfigNode kwargs = spec.kwargs();
    if (!kwargs.has("features")) {
      kwargs = kwargs.with("features", features(bars, store));
    }
    int step =
        ComponentSpec.from(config.required("simulator")).kwargs().intOr("ticks_per_step", 30);
    int width =
        ExecutionCatalog.featureSources(1)
            .withInstalled()
            .make(ComponentSpec.from(kwargs.required("features")))
            .columns()
            .today()
            .size();
    kwargs = withDefault(kwargs, "dimension", width);
    kwargs = withDefault(kwargs, "ticks", day.ticks());
    kwargs =
        withDefault(
            kwargs,
            "max_steps",
            Math.ceilDiv(day.ticks() * day.minutesPerTick(), Math.max(1, step)));
    return given.with("kwargs", kwargs);
  }

  private static ConfigNode features(@Nullable Path bars, @Nullable Path store) {
    if (store == null) {
      ConfigNode computed = part("ComputedFeatures", bars == null ? HERE : bars);
      return computed.with(
          "kwargs",
          computed
              .required("kwargs")
              .with(
                  "providers",
                  ConfigFiles.parse("data", "[price_moves, relative_volume, time_of_day]")));
    }
    String columns =
        FeatureStore.open(store).featureExpressions().keySet().stream()
            .filter(name -> !name.endsWith("_1"))
            .map(name -> "\"" + name + "\"")
            .collect(Collectors.joining(", ", "[", "]"));
    ConfigNode stored = part("FeatureStore", store);
    return stored.with(
        "kwargs", stored.required("kwargs").with("today", ConfigFiles.parse("data", columns)));
  }
}
