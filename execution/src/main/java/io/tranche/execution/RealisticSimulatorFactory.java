package io.tranche.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.exchange.Exchange;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.env.EnvContext;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.Simulator;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.cache.RecentCache;
import java.time.LocalDate;
import java.util.List;

/// Makes the episodes of a [RealisticSimulator]. Keeps the quotes of the latest days. Safe to use
/// from several threads.
public final class RealisticSimulatorFactory
    implements Simulator.Factory<Order, ExecutionState, ChildOrder> {

  private static final EnvContext SILENT = EnvContext.outside(new LogCollector(LogLevel.CRITICAL));

  private record Day(String instrument, LocalDate date) {}

  private final RealisticSimulatorConfig config;
  private final QuoteSource source;
  private final RecentCache<Day, Exchange> exchanges;

  /// @param daysKept how many days of quotes are kept
  public RealisticSimulatorFactory(
      RealisticSimulatorConfig config, QuoteSource source, int daysKept) {
    this.config = config;
    this.source = source.keepingCalendars();
    this.exchanges =
        new RecentCache<>(
            daysKept,
            day ->
                new Exchange(
                    config.exchange(),
                    List.of(
                        source.quotes(
                            config.exchange(), day.instrument(), day.date(), day.date()))));
  }

  /// @throws DataException if the order or its data break a rule
  @Override
  public RealisticSimulator create(Order order, EnvContext context) {
    Exchange exchange = exchanges.get(new Day(order.instrument(), order.date()));
    return new RealisticSimulator(order, config, source, exchange, context);
  }

  /// Makes an episode outside any environment; its log is discarded.
  ///
  /// @throws DataException as above
  public RealisticSimulator create(Order order) {
    return create(order, SILENT);
  }
}
