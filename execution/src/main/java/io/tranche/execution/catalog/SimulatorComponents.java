package io.tranche.execution.catalog;

import io.tranche.backtest.FillRule;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.executor.ExecutorConfig.LevelConfig;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.strategy.SignalSource;
import io.tranche.config.Catalog;
import io.tranche.config.Component;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigNode;
import io.tranche.execution.Dialect;
import io.tranche.execution.RealisticSimulator.RealisticSimulatorFactory;
import io.tranche.execution.RealisticSimulatorConfig;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.SimulatorSetup;
import io.tranche.execution.TickSource;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibProviders;
import io.tranche.market.store.QlibStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Simulators by name.
final class SimulatorComponents {

  private static final List<String> EXECUTORS = List.of("qlib.backtest.executor", "qlib.backtest");
  private static final int CACHED_DAYS = 1024;

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
            "minutes_per_step data_granularity excess " + String.join(" ", FrictionSettings.KEYS))
        .qlib(
            List.of("qlib.rl.order_execution.simulator_qlib", "qlib.rl.order_execution"),
            "SingleAssetOrderExecution",
            "one order in the nested executor of a backtest, as Qlib does it; brings its own data",
            SimulatorComponents::realistic,
            "executor_config exchange_config qlib_config cash_limit")
        .all();
  }

  /// The code that opens the data reads the folder and columns.
  private static SimulatorSetup qlib(ConfigNode settings) {
    double cap = settings.notNegativeOr("vol_threshold", Double.POSITIVE_INFINITY);
    return config(settings, "ticks_per_step", 1, Dialect.QLIB)
        .withFrictions(Frictions.NONE.withParticipation(cap));
  }

  private static SimulatorSetup sound(ConfigNode settings, int minutesPerTick) {
    Dialect.Excess excess =
        switch (settings.textOr("excess", "clip")) {
          case "clip" -> Dialect.Excess.CLIP;
          case "refuse" -> Dialect.Excess.REFUSE;
          default -> throw settings.required("excess").wrong("clip or refuse");
        };
    return config(settings, "minutes_per_step", minutesPerTick, Dialect.NATIVE.withExcess(excess))
        .withFrictions(FrictionSettings.frictions(settings));
  }

  private static SimpleSimulatorConfig config(
      ConfigNode settings, String stepKey, int minutesPerTick, Dialect dialect) {
    int granularity = settings.countOr("data_granularity", minutesPerTick);
    int byDefault =
        dialect.fillRule() == FillRule.NATIVE ? Math.ceilDiv(30, granularity) * granularity : 30;
    int minutes = settings.countOr(stepKey, byDefault);
    if (minutes % granularity != 0) {
      ConfigNode given = settings.optional(stepKey);
      throw (given == null ? settings.required("data_granularity") : given)
          .wrong("%s to be a multiple of data_granularity, %d".formatted(stepKey, granularity));
    }
    return new SimpleSimulatorConfig(minutes, granularity, Frictions.NONE, dialect);
  }

  /// Reads the realistic simulator of Qlib's configurations: nested executors, where the caller
  /// decides for the outermost one. Paths are relative to the working directory.
  private static SimulatorSetup realistic(ConfigNode settings) {
    ConfigNode exchangeNode = settings.required("exchange_config");
    Frequency granularity = StrategyComponents.frequency(exchangeNode.required("freq"));
    QlibProviders providers = BacktestSettings.providers(settings.required("qlib_config"));
    ExchangeConfig exchange = ExchangeSettings.qlib(exchangeNode, providers.region());
    QlibStore store = providers.store(granularity);
    Catalog<Strategy.Factory> strategies =
        ExecutionCatalog.strategies(
            StrategySources.of(store, frequency -> SignalSource.of(providers.store(frequency))));
    ConfigNode outer = executor(settings.required("executor_config"), "NestedExecutor");
    ConfigNode proxy = outer.required("inner_strategy");
    if (!ComponentSpec.from(proxy).name().equals("ProxySAOEStrategy")) {
      throw proxy.required("class").wrong("ProxySAOEStrategy at the outermost level");
    }
    var below = new ArrayList<LevelConfig>();
    ConfigNode inner = outer.required("inner_executor");
    while (ComponentSpec.from(inner).name().equals("NestedExecutor")) {
      ConfigNode level = executor(inner, "NestedExecutor");
      ConfigNode width = level.required("time_per_step");
      below.add(
          new LevelConfig(
              width.asText(),
              StrategyComponents.frequency(width),
              strategies.make(ComponentSpec.from(level.required("inner_strategy")))));
      inner = level.required("inner_executor");
    }
    ConfigNode leaf = executor(inner, "SimulatorExecutor").required("time_per_step");
    Double cash = ExchangeSettings.cashLimit(settings);
    Supplier<Account> accounts =
        cash == null ? Account.Unlimited::new : () -> new Account.Limited(cash, Map.of(), false);
    var config =
        new RealisticSimulatorConfig(
            exchange,
            outer.required("time_per_step").asText(),
            below,
            StrategyComponents.frequency(leaf),
            null,
            ComponentSpec.from(proxy).kwargs().countOr("data_granularity", 1),
            accounts,
            true);
    return new Realistic(config, store);
  }

  /// It brings its own data.
  private record Realistic(RealisticSimulatorConfig config, QlibStore store)
      implements SimulatorSetup {

    @Override
    public int minutesPerStep() {
      return config.minutesPerStep();
    }

    @Override
    public RealisticSimulatorFactory over(TickSource ticks) {
      return new RealisticSimulatorFactory(config, QuoteSource.of(store), CACHED_DAYS);
    }
  }

  private static ConfigNode executor(ConfigNode node, String name) {
    ComponentSpec spec = ComponentSpec.from(node);
    String module = spec.modulePath();
    if (!spec.name().equals(name) || (module != null && !EXECUTORS.contains(module))) {
      throw node.required("class").wrong(name + " of qlib.backtest.executor");
    }
    return spec.kwargs();
  }
}
