package io.tranche.backtest.run;

import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.config.ConfigException;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import java.time.LocalDate;
import java.util.List;

/// Runs orders, instrument by instrument. Safe to use from several threads. Qlib:
/// `qlib.rl.contrib.backtest`.
public final class BacktestRun {

  private final BacktestConfig config;
  private final QuoteSource source;

  /// @throws ConfigException if the benchmark has no data
  public BacktestRun(BacktestConfig config, QuoteSource source) {
    this.config = config;
    this.source = source.keepingCalendars();
    String benchmark = config.benchmark();
    if (benchmark != null && !hasBars(benchmark)) {
      throw new ConfigException(
          "exchange.cash_limit",
          "daily or 1-minute bars of the benchmark %s, as Qlib's account needs"
              .formatted(benchmark),
          "none");
    }
  }

  private boolean hasBars(String instrument) {
    Frequency frequency = source.calendar().frequency();
    if (source.calendar().days() == 0
        || !(frequency.equals(Frequency.MINUTE) || frequency.isDay())) {
      return false;
    }
    LocalDate first = source.calendar().date(0);
    LocalDate last = source.calendar().date(source.calendar().days() - 1);
    return source.quotes(ExchangeConfig.DEFAULT, instrument, first, last).rows() > 0;
  }

  /// Returns a run of the orders of one instrument, all at once or in groups.
  public InstrumentRun of(String instrument, List<Order> orders) {
    return new InstrumentRun(config, source, instrument, orders);
  }

  /// Runs orders that are all of one instrument.
  ///
  /// @throws ConfigException if the configuration does not fit the data
  public InstrumentResult run(String instrument, List<Order> orders) {
    return of(instrument, orders).runAll();
  }
}
