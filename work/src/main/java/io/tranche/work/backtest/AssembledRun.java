package io.tranche.work.backtest;

import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.run.BacktestConfig;
import io.tranche.backtest.run.BacktestRun;
import io.tranche.backtest.strategy.SignalSource;
import io.tranche.execution.catalog.BacktestSettings;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.catalog.StrategySources;
import io.tranche.market.store.QlibStore;
import java.util.function.Consumer;

/// Makes the parts of a backtest from its plan, in any process.
final class AssembledRun {

  private AssembledRun() {}

  static BacktestRun of(
      BacktestPlan plan, QlibStore store, boolean apart, boolean logs, Consumer<String> warnings) {
    var sources =
        new StrategySources(
            store,
            frequency -> SignalSource.of(plan.providers().store(frequency)),
            new WeightedPolicies(store, warnings),
            _ -> {});
    BacktestConfig backtest =
        BacktestSettings.qlib(
                plan.config(), apart, ExecutionCatalog.strategies(sources).withInstalled())
            .withRecordedOrders(logs);
    return new BacktestRun(backtest, QuoteSource.of(store));
  }
}
