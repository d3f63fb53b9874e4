package io.tranche.execution.catalog;

import io.tranche.backtest.Costs;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Impact;
import io.tranche.config.Component;
import io.tranche.config.ConfigNode;
import io.tranche.execution.Dialect;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.SimulatorSetup;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Simulators by name.
final class SimulatorComponents {

  private SimulatorComponents() {}

  static List<Component<SimulatorSetup>> all(int minutesPerTick) {
    return new ComponentRows<>(SimulatorSetup.class)
        .qlib(
            List.of("qlib.rl.order_execution.simulator_simple", "qlib.rl.order_execution"),
            "SingleAssetOrderExecutionSimple",
            "one order over one day of ticks, as Qlib does it",
            SimulatorComponents::qlib,
            "data_dir feature_columns_today feature_columns_yesterday data_granularity"
                + " ticks_per_step vol_threshold")
        .own(
            "SimpleSimulator",
            "one order over one day of ticks, with frictions",
            settings -> sound(settings, minutesPerTick),
            "ticks_per_step data_granularity excess participation lot price_limit latency costs"
                + " impact")
        .qlib(
            List.of("qlib.rl.order_execution.simulator_qlib", "qlib.rl.order_execution"),
            "SingleAssetOrderExecution",
            "one order in the nested executor of a backtest, as Qlib does it; brings its own data",
            RealisticComponents::setup,
            "executor_config exchange_config qlib_config cash_limit")
        .all();
  }

  /// Whoever opens the data reads their folder and columns.
  private static SimulatorSetup qlib(ConfigNode settings) {
    double cap = settings.notNegativeOr("vol_threshold", Double.POSITIVE_INFINITY);
    return config(settings, 1, Dialect.QLIB).withFrictions(Frictions.NONE.withParticipation(cap));
  }

  private static SimulatorSetup sound(ConfigNode settings, int minutesPerTick) {
    Dialect.Excess excess =
        switch (settings.textOr("excess", "clip")) {
          case "clip" -> Dialect.Excess.CLIP;
          case "refuse" -> Dialect.Excess.REFUSE;
          default -> throw settings.required("excess").wrong("clip or refuse");
        };
    return config(settings, minutesPerTick, Dialect.NATIVE.withExcess(excess))
        .withFrictions(frictions(settings));
  }

  private static SimpleSimulatorConfig config(
      ConfigNode settings, int minutesPerTick, Dialect dialect) {
    int granularity = settings.countOr("data_granularity", minutesPerTick);
    int ticksPerStep = settings.countOr("ticks_per_step", 30);
    if (ticksPerStep % granularity != 0) {
      ConfigNode given = settings.optional("ticks_per_step");
      throw (given == null ? settings.required("data_granularity") : given)
          .wrong("ticks_per_step to be a multiple of data_granularity");
    }
    return new SimpleSimulatorConfig(ticksPerStep, granularity, Frictions.NONE, dialect, List.of());
  }

  private static Frictions frictions(ConfigNode settings) {
    return new Frictions(
        settings.notNegativeOr("participation", Double.POSITIVE_INFINITY),
        settings.notNegativeOr("lot", 0),
        priceLimit(settings.optional("price_limit")),
        costs(settings.optional("costs")),
        impacts(settings.optional("impact")),
        latency(settings));
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

  private static Costs costs(@Nullable ConfigNode node) {
    if (node == null) {
      return Costs.NONE;
    }
    node.rejectUnknown(List.of("buy", "sell", "minimum"));
    return new Costs(
        node.notNegativeOr("buy", 0),
        node.notNegativeOr("sell", 0),
        node.notNegativeOr("minimum", 0));
  }

  private static List<Impact> impacts(@Nullable ConfigNode node) {
    if (node == null) {
      return List.of();
    }
    node.rejectUnknown(List.of("linear", "square_root", "transient"));
    var impacts = new ArrayList<Impact>();
    impacts.add(new Impact.Linear(node.notNegativeOr("linear", 0)));
    impacts.add(new Impact.SquareRoot(node.notNegativeOr("square_root", 0)));
    ConfigNode push = node.optional("transient");
    if (push != null) {
      push.rejectUnknown(List.of("coefficient", "decay"));
      impacts.add(
          new Impact.Transient(
              push.required("coefficient").asNotNegative(),
              push.required("decay").asNumberIn(0, 1)));
    }
    return impacts;
  }
}
