package io.tranche.execution.catalog;

import io.tranche.backtest.Costs;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Impact;
import io.tranche.config.Component;
import io.tranche.config.ConfigNode;
import io.tranche.execution.Dialect;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.SimulatorSetup;
import java.util.List;

/// Simulators by name.
final class SimulatorComponents {

  private SimulatorComponents() {}

  static List<Component<SimulatorSetup>> all() {
    return List.of(
        new Component<>(
            SimulatorSetup.class,
            "SingleAssetOrderExecutionSimple",
            List.of("qlib.rl.order_execution.simulator_simple", "qlib.rl.order_execution"),
            "Qlib's simple simulator: steps aligned to the day, volume cap, the last one clears",
            SimulatorComponents::qlib),
        Component.of(
            SimulatorSetup.class,
            "simple",
            "the same, sound, with frictions: cap, lots, price limits, costs, impact, latency",
            SimulatorComponents::simple));
  }

  /// Qlib's settings of data are the tick source's, and only known here.
  private static SimulatorSetup qlib(ConfigNode settings) {
    settings.rejectUnknown(
        List.of(
            "data_dir",
            "feature_columns_today",
            "feature_columns_yesterday",
            "data_granularity",
            "ticks_per_step",
            "vol_threshold"));
    double cap = Settings.notNegativeOr(settings, "vol_threshold", Double.POSITIVE_INFINITY);
    return new SimpleSimulatorConfig(
        ticksPerStep(settings, "ticks_per_step", "data_granularity"),
        Settings.countOr(settings, "data_granularity", 1),
        Frictions.NONE.withParticipation(cap),
        Dialect.QLIB,
        List.of());
  }

  private static SimulatorSetup simple(ConfigNode settings) {
    settings.rejectUnknown(List.of("minutes_per_step", "minutes_per_bar", "frictions"));
    ConfigNode frictions = Settings.optional(settings, "frictions");
    return new SimpleSimulatorConfig(
        ticksPerStep(settings, "minutes_per_step", "minutes_per_bar"),
        Settings.countOr(settings, "minutes_per_bar", 1),
        frictions == null ? Frictions.NONE : frictions(frictions),
        Dialect.NATIVE,
        List.of());
  }

  private static int ticksPerStep(ConfigNode settings, String key, String granularityKey) {
    int minutes = Settings.countOr(settings, key, 30);
    int granularity = Settings.countOr(settings, granularityKey, 1);
    if (minutes % granularity != 0) {
      ConfigNode at = settings.optional(key);
      throw (at == null ? settings.required(granularityKey) : at)
          .wrong("%s to be a multiple of %s".formatted(key, granularityKey));
    }
    return minutes;
  }

  private static Frictions frictions(ConfigNode settings) {
    settings.rejectUnknown(
        List.of("participation", "lot", "price_limit", "costs", "impacts", "latency"));
    ConfigNode costs = Settings.optional(settings, "costs");
    ConfigNode impacts = Settings.optional(settings, "impacts");
    double off = Double.POSITIVE_INFINITY;
    return new Frictions(
        Settings.notNegativeOr(settings, "participation", off),
        Settings.notNegativeOr(settings, "lot", 0),
        Settings.withinOr(settings, "price_limit", off, Double.MIN_VALUE, Double.MAX_VALUE),
        costs == null ? Costs.NONE : costs(costs),
        impacts == null ? List.of() : impacts(impacts),
        latency(settings));
  }

  private static int latency(ConfigNode settings) {
    ConfigNode latency = Settings.optional(settings, "latency");
    if (latency != null && latency.asInt() < 0) {
      throw latency.wrong("an integer of at least 0");
    }
    return latency == null ? 0 : latency.asInt();
  }

  private static Costs costs(ConfigNode settings) {
    settings.rejectUnknown(List.of("buy_rate", "sell_rate", "minimum"));
    return new Costs(
        Settings.notNegativeOr(settings, "buy_rate", 0),
        Settings.notNegativeOr(settings, "sell_rate", 0),
        Settings.notNegativeOr(settings, "minimum", 0));
  }

  private static List<Impact> impacts(ConfigNode list) {
    List<Impact> impacts = list.asList().stream().map(SimulatorComponents::impact).toList();
    if (impacts.stream().filter(Impact.Transient.class::isInstance).count() > 1) {
      throw list.wrong("at most one transient impact");
    }
    return impacts;
  }

  private static Impact impact(ConfigNode settings) {
    settings.rejectUnknown(List.of("kind", "coefficient", "decay"));
    ConfigNode kind = settings.required("kind");
    double coefficient = Settings.within(settings.required("coefficient"), 0, Double.MAX_VALUE);
    return switch (kind.asText()) {
      case "linear" -> new Impact.Linear(coefficient);
      case "square_root" -> new Impact.SquareRoot(coefficient);
      case "transient" ->
          new Impact.Transient(coefficient, Settings.within(settings.required("decay"), 0, 1));
      default -> throw kind.wrong("linear, square_root or transient");
    };
  }
}
