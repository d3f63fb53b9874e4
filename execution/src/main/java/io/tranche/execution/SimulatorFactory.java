package io.tranche.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Matching;
import io.tranche.env.EnvContext;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.Simulator;
import io.tranche.market.DataException;
import io.tranche.market.Order;

/// Makes the episodes of a [SimpleSimulator]. It holds everything that they share, so an episode
/// costs little more than the memory for its fills. Safe to use from several threads.
public final class SimulatorFactory
    implements Simulator.Factory<Order, ExecutionState, ChildOrder> {

  /// Simulators log nothing critical, so this keeps nothing.
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

  /// Makes an episode outside any environment; its log is discarded.
  ///
  /// @throws DataException as above
  public SimpleSimulator create(Order order) {
    return create(order, SILENT);
  }
}
