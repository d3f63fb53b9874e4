package io.tranche.examples.java;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.executor.ExecutorConfig;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.executor.TradeRange;
import io.tranche.backtest.run.BacktestConfig;
import io.tranche.backtest.run.BacktestRun;
import io.tranche.backtest.run.InstrumentResult;
import io.tranche.backtest.strategy.TwapStrategy;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.catalog.StrategySources;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnStrategyTest {

  private static final SyntheticMarket BARS =
      new SyntheticMarket(
          SyntheticConfig.DEFAULT.withSize(1, 5).withIncidents(SyntheticConfig.Incidents.NONE));

  private static InstrumentResult work(Strategy.Factory day) {
    LocalDate date = BARS.calendar().date(2);
    String instrument = BARS.instruments().getFirst();
    var order = new Order(instrument, Side.SELL, 100, date.atTime(9, 30), date.atTime(14, 55));
    var levels =
        List.of(
            ExecutorConfig.LevelConfig.of("1day", day),
            ExecutorConfig.LevelConfig.of("30min", TwapStrategy::create));
    var config =
        BacktestConfig.of(
            ExchangeConfig.DEFAULT,
            ExecutorConfig.qlib(levels, Frequency.ofMinutes(5)),
            TradeRange.between(LocalTime.of(9, 30), LocalTime.of(14, 55)));
    return new BacktestRun(config, QuoteSource.of(BARS)).run(instrument, List.of(order));
  }

  @Test
  void anObjectWorksAnOrderInTheFirstHalfHour() {
    InstrumentResult result = work(AtOnceStrategy::new);

    assertThat(result.failures()).isEmpty();
    assertThat(result.fills()).hasSize(6);
  }

  @Test
  void theSameComesByNameFromAPlugIn() {
    Strategy.Factory named =
        ExecutionCatalog.strategies(
                StrategySources.of(
                    BARS,
                    _ -> {
                      throw new IllegalStateException("no signals are used");
                    }))
            .withInstalled()
            .make(ComponentSpec.from(ConfigFiles.parse("strategies", "{class: AtOnce}")));

    assertThat(work(named).rows()).isEqualTo(work(AtOnceStrategy::new).rows());
  }
}
