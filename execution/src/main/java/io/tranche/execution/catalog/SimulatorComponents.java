package io.tranche.execution;

import io.tranche.backtest.Costs;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Impact;
import io.tranche.config.Catalog;
import io.tranche.config.Component;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The simulators that configurations may name.
public final class SimulatorCatalog {

  private static final List<String> QLIB_KEYS =
      List.of(
          "data_dir",
          "feature_columns_today",
          "feature_columns_yesterday",
          "data_granularity",
          "ticks_per_step",
          "vol_threshold");

  private static final List<String> NATIVE_KEYS =
      List.of(
          "ticks_per_step",
          "data_granularity",
          "excess",
          "participation",
          "lot",
          "price_limit",
          "latency",
          "costs",
          "impact");

  private SimulatorCatalog() {}

  public static Catalog<SimulatorSetup> create() {
    return Catalog.of(
        SimulatorSetup.class,
        List.of(
            new Component<>(
                SimulatorSetup.class,
                "SingleAssetOrderExecutionSimple",
                List.of("qlib.rl.order_execution.simulator_simple", "qlib.rl.order_execution"),
                "one order over one day of ticks, as Qlib does it",
                SimulatorCatalog::qlib),
            Component.of(
                SimulatorSetup.class,
                "SimpleSimulator",
                "one order over one day of ticks, with frictions",
                SimulatorCatalog::sound)));
  }

  /// The data's place and columns are the business of whoever opens the data.
  private static SimulatorSetup qlib(ConfigNode node) {
    node.rejectUnknown(QLIB_KEYS);
    return valid(
        node,
        () ->
            config(node, Dialect.QLIB)
                .withFrictions(
                    Frictions.NONE.withParticipation(
                        numberOr(node, "vol_threshold", Double.POSITIVE_INFINITY))));
  }

  private static SimulatorSetup sound(ConfigNode node) {
    node.rejectUnknown(NATIVE_KEYS);
    Dialect.Excess excess =
        switch (node.textOr("excess", "clip")) {
          case "clip" -> Dialect.Excess.CLIP;
          case "refuse" -> Dialect.Excess.REFUSE;
          default -> throw node.required("excess").wrong("clip or refuse");
        };
    return valid(
        node, () -> config(node, Dialect.NATIVE.withExcess(excess)).withFrictions(frictions(node)));
  }

  private static SimpleSimulatorConfig config(ConfigNode node, Dialect dialect) {
    return new SimpleSimulatorConfig(
        node.intOr("ticks_per_step", 30),
        node.intOr("data_granularity", 1),
        Frictions.NONE,
        dialect,
        List.of());
  }

  private static Frictions frictions(ConfigNode node) {
    return new Frictions(
        numberOr(node, "participation", Double.POSITIVE_INFINITY),
        numberOr(node, "lot", 0),
        numberOr(node, "price_limit", Double.POSITIVE_INFINITY),
        costs(given(node, "costs")),
        impacts(given(node, "impact")),
        node.intOr("latency", 0));
  }

  private static Costs costs(@Nullable ConfigNode node) {
    if (node == null) {
      return Costs.NONE;
    }
    node.rejectUnknown(List.of("buy", "sell", "minimum"));
    return new Costs(
        node.doubleOr("buy", 0), node.doubleOr("sell", 0), node.doubleOr("minimum", 0));
  }

  private static List<Impact> impacts(@Nullable ConfigNode node) {
    if (node == null) {
      return List.of();
    }
    node.rejectUnknown(List.of("linear", "square_root", "transient"));
    var impacts = new ArrayList<Impact>();
    impacts.add(new Impact.Linear(numberOr(node, "linear", 0)));
    impacts.add(new Impact.SquareRoot(numberOr(node, "square_root", 0)));
    ConfigNode push = given(node, "transient");
    if (push != null) {
      push.rejectUnknown(List.of("coefficient", "decay"));
      impacts.add(
          new Impact.Transient(
              push.required("coefficient").asDouble(), push.required("decay").asDouble()));
    }
    return impacts;
  }

  private static double numberOr(ConfigNode node, String key, double fallback) {
    ConfigNode value = given(node, key);
    return value == null ? fallback : value.asDouble();
  }

  /// Returns what stands at `key`, null where nothing or `null` does.
  private static @Nullable ConfigNode given(ConfigNode node, String key) {
    ConfigNode value = node.optional(key);
    return value == null || value.isNull() ? null : value;
  }

  /// Turns what a record refuses into an error of the configuration.
  private static SimulatorSetup valid(ConfigNode node, Supplier<SimulatorSetup> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException e) {
      throw new ConfigException(node.where(), "valid settings", e.getMessage());
    }
  }
}
