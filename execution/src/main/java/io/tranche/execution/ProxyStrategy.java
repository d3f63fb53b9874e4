package io.tranche.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.executor.Level;
import io.tranche.backtest.executor.StepCalendar;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.executor.TradeDecision;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Leaves the decisions for its only order to the caller: waits until a child order is offered.
/// Qlib: `ProxySAOEStrategy`.
final class ProxyStrategy implements Strategy {

  private final TrackedOrders orders;
  private @Nullable Level level;
  private @Nullable ChildOrder offered;

  /// @param granularity minutes per bar
  ProxyStrategy(int granularity, boolean qlib) {
    this.orders = new TrackedOrders(granularity, qlib);
  }

  @Override
  public void begin(Level begun) {
    if (begun.outer().orders().size() != 1) {
      throw new IllegalStateException(
          "decision must have one order, was " + begun.outer().orders());
    }
    level = begun;
    orders.begin(begun);
  }

  /// Gives the decision that the executor waits for.
  void offer(ChildOrder child) {
    offered = child;
  }

  @Override
  public @Nullable TradeDecision decide(Level current, @Nullable List<ExchangeFill> last) {
    ChildOrder child = offered;
    orders.beginStep(current);
    if (child == null) {
      return null;
    }
    offered = null;
    orders.all().forEach(tracker -> tracker.request(child.volume()));
    ExchangeOrder order = current.outer().orders().getFirst();
    StepCalendar steps = current.steps();
    return TradeDecision.of(
        List.of(
            new ExchangeOrder(
                order.instrument(),
                order.side(),
                child.volume(),
                steps.stepStart(),
                steps.stepEnd(),
                child.kind())));
  }

  @Override
  public void filled(Level current, List<ExchangeFill> fills) {
    orders.endStep(fills, current);
  }

  @Override
  public void finished(Level current) {
    orders.finish();
  }

  ExecutionState state() {
    return orders.all().getFirst().state();
  }

  /// Returns the number of steps of the level since the first one of the trading range; after the
  /// end it includes those beyond the range. Qlib: `cur_step`.
  int levelStep() {
    Level known = Objects.requireNonNull(level, "the executor begins before anybody asks");
    return known.steps().step() - known.firstStep();
  }
}
