package io.tranche.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Matching;
import io.tranche.env.EnvContext;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.Simulator;
import io.tranche.market.DataException;
import io.tranche.market.Order;

/// Makes the episodes of a [SimpleSimulator]: holds all that they share, so that one costs little
/// more than the memory of its fills. Safe to use from several threads.
public final class SimulatorFactory
    implements Simulator.Factory<Order, ExecutionState, ChildOrder> {

  /// Nothing that a simulator logs is critical, so nothing is ever kept.
  private static final EnvContext SILENT = EnvContext.outside(new LogCollector(LogLevel.CRITICAL));

  private final SimpleSimulatorConfig config;
  private final TickSource ticks;
  private final Matching matching;

  public SimulatorFactory(SimpleSimulatorConfig config, TickSource ticks) {
    this.config = config;
    this.ticks = ticks;
    this.matching =
        config.dialect().trustsData()
            ? Matching.asQlib(config.frictions())
            : Matching.of(config.frictions());
  }

  /// @throws DataException if the order or its ticks break a rule; names the order, the tick and
  ///   the value
  @Override
  public SimpleSimulator create(Order order, EnvContext context) {
    return new SimpleSimulator(order, ticks.ticks(order), config, matching, context);
  }

  /// Makes an episode outside any environment; what it logs is dropped.
  ///
  /// @throws DataException as for the other
  public SimpleSimulator create(Order order) {
    return create(order, SILENT);
  }
}
