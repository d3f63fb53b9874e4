package io.tranche.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.exchange.Exchange;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.executor.Executor;
import io.tranche.backtest.executor.StepIndicators;
import io.tranche.backtest.executor.TradeRange;
import io.tranche.backtest.strategy.OrderListStrategy;
import io.tranche.env.EnvContext;
import io.tranche.env.EpisodePlot;
import io.tranche.env.Simulator;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Works one order in the backtest's nested executor: the levels below split each decision further,
/// and the exchange fills it by its rules. Qlib: `SingleAssetOrderExecution`.
///
/// The constructor runs to the first decision, [#step] to the next.
public final class RealisticSimulator implements Simulator<ExecutionState, ChildOrder> {

  private final ProxyStrategy proxy;
  private final Executor executor;
  private final EnvContext context;
  private final boolean qlib;
  private final List<ExchangeFill> fills = new ArrayList<>();

  RealisticSimulator(
      Order order,
      RealisticSimulatorConfig config,
      QuoteSource source,
      Exchange exchange,
      EnvContext context) {
    if (!order.end().toLocalDate().equals(order.date())) {
      throw new DataException(
          OrderEpisode.name(order), "an end on the day of the start", order.end().toLocalDate());
    }
    if (!order.start().isBefore(order.end())) {
      throw new DataException(OrderEpisode.name(order), "an end after the start", order.end());
    }
    this.context = context;
    this.qlib = config.qlib();
    this.proxy = new ProxyStrategy(config.granularity(), qlib);
    var window = TradeRange.between(order.start().toLocalTime(), order.end().toLocalTime());
    this.executor =
        new Executor(
            config.executor(proxy),
            new OrderListStrategy(List.of(order), window),
            source,
            exchange,
            config.accounts().get(),
            fills::add);
    long day = BarTime.of(order.date());
    executor.begin(day, day + BarTime.SECONDS_A_DAY - 1);
    if (!executor.advance()) {
      throw new DataException(
          OrderEpisode.name(order), "an amount to trade on a trading day", order.amount());
    }
  }

  @Override
  public ExecutionState state() {
    return proxy.state();
  }

  @Override
  public boolean isDone() {
    return executor.isFinished();
  }

  @Override
  public void step(ChildOrder child) {
    if (isDone()) {
      throw new IllegalStateException("order must not be finished, was: " + state());
    }
    // Written so that NaN is refused too.
    if (!(child.volume() >= 0)) {
      throw new IllegalArgumentException(
          "volume must not be negative, was %s at %s".formatted(child.volume(), state()));
    }
    proxy.offer(child);
    executor.advance();
    ExecutionState state = state();
    ExecutionMetrics metrics = state.metrics();
    if (isDone() && metrics != null && !qlib) {
      MetricLog.write(context.log(), state, metrics, false);
    }
  }

  @Override
  public void draw(EpisodePlot picture) {
    ExecutionPlot.draw(state(), picture);
  }

  /// Returns the number of steps of its level since the first one of the trading range. While the
  /// order is worked that is the state's step; afterwards it includes the steps beyond the range.
  /// Qlib: `cur_step`.
  public int levelStep() {
    return proxy.levelStep();
  }

  /// Returns all fills so far.
  public List<ExchangeFill> fills() {
    return Collections.unmodifiableList(fills);
  }

  /// Returns the indicators of the steps of the level with this name.
  public List<StepIndicators> history(String level) {
    return executor.history(level);
  }
}
