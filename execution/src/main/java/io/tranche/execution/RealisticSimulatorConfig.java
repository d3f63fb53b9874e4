package io.tranche.execution;

import io.tranche.backtest.Frictions;
import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.executor.ExecutorConfig;
import io.tranche.backtest.executor.ExecutorConfig.LevelConfig;
import io.tranche.backtest.executor.IndicatorConfig;
import io.tranche.execution.RealisticSimulator.ProxyStrategy;
import io.tranche.market.Frequency;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The settings of a [RealisticSimulator].
///
/// @param level the outermost level, for which the caller decides; a day in practice
/// @param below the levels below it, each with a rule-based strategy
/// @param leaf the width of the steps in which orders go to the market
/// @param matching null to send orders to the exchange as Qlib does; otherwise see [ExecutorConfig]
/// @param granularity minutes per bar of the exchange
/// @param accounts makes the account of an episode; must be safe to use from several threads
/// @param qlib whether states and metrics have Qlib's quirks (Q31, Q36, Q37)
public record RealisticSimulatorConfig(
    ExchangeConfig exchange,
    String level,
    List<LevelConfig> below,
    Frequency leaf,
    @Nullable Frictions matching,
    int granularity,
    Supplier<Account> accounts,
    boolean qlib) {

  public RealisticSimulatorConfig {
    below = List.copyOf(below);
    if (granularity < 1) {
      throw new IllegalArgumentException("granularity must be positive, was " + granularity);
    }
  }

  /// Returns the minutes from one decision of the caller to the next.
  public int minutesPerStep() {
    Frequency step = below.isEmpty() ? leaf : below.getFirst().frequency();
    return step.seconds() / 60;
  }

  ExecutorConfig executor(ProxyStrategy proxy) {
    var levels = new ArrayList<LevelConfig>();
    levels.add(LevelConfig.of(level, () -> proxy));
    levels.addAll(below);
    ExecutorConfig config =
        ExecutorConfig.qlib(levels, leaf)
            .withLastStepTrades(!qlib)
            .withIndicators(qlib ? IndicatorConfig.QLIB : IndicatorConfig.DEFAULT);
    return matching == null ? config : config.withMatching(matching);
  }
}
