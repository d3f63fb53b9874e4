package io.tranche.execution.catalog;

import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.executor.ExecutorConfig.LevelConfig;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.strategy.SignalSource;
import io.tranche.config.Catalog;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigNode;
import io.tranche.execution.RealisticSimulatorConfig;
import io.tranche.execution.RealisticSimulatorFactory;
import io.tranche.execution.SimulatorSetup;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibProviders;
import io.tranche.market.store.QlibStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The realistic simulator of Qlib's configurations: nested executors, where the caller decides for
/// the outermost one. Paths are relative to the working directory.
final class RealisticComponents {

  private static final List<String> EXECUTORS = List.of("qlib.backtest.executor", "qlib.backtest");
  private static final int CACHED_DAYS = 1024;

  private RealisticComponents() {}

  static SimulatorSetup setup(ConfigNode settings) {
    ConfigNode exchangeNode = settings.required("exchange_config");
    ExchangeConfig exchange = ExchangeSettings.qlib(exchangeNode);
    Frequency granularity = StrategyComponents.frequency(exchangeNode.required("freq"));
    QlibProviders providers = BacktestSettings.providers(settings.required("qlib_config"));
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
    return _ -> new RealisticSimulatorFactory(config, QuoteSource.of(store), CACHED_DAYS);
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
