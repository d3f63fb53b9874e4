package io.tranche.examples.java;

import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.executor.Level;
import io.tranche.backtest.executor.StepCalendar;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.executor.TradeDecision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A strategy of your own: each order is sent whole in the first step.
public final class AtOnceStrategy implements Strategy {

  @Override
  public TradeDecision decide(Level level, @Nullable List<ExchangeFill> last) {
    StepCalendar steps = level.steps();
    if (steps.step() != level.firstStep()) {
      return TradeDecision.EMPTY;
    }
    return TradeDecision.of(
        level.outer().orders().stream()
            .map(order -> order.child(order.amount(), steps.stepStart(), steps.stepEnd()))
            .toList());
  }
}
