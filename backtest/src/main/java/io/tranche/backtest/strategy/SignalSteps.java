package io.tranche.backtest.strategy;

import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.executor.Level;
import io.tranche.backtest.executor.StepCalendar;
import io.tranche.backtest.strategy.SignalSource.Signal;
import java.util.HashMap;
import java.util.Map;

/// The signals of the instruments that a strategy trades, as known in the previous step.
final class SignalSteps {

  private final SignalSource source;
  private final String expression;
  private final Map<String, Signal> signals = new HashMap<>();

  SignalSteps(SignalSource source, String expression) {
    this.source = source;
    this.expression = expression;
  }

  void begin(Level level) {
    signals.clear();
    StepCalendar steps = level.steps();
    if (steps.isFinished()) {
      return;
    }
    long start = steps.previousStart();
    long end = level.outer().orders().isEmpty() ? start : level.outer().orders().getFirst().end();
    for (ExchangeOrder order : level.outer().orders()) {
      signals.computeIfAbsent(
          order.instrument(), instrument -> source.signal(instrument, expression, start, end));
    }
  }

  /// Returns the last value of the step before the current one, NaN if there is none.
  double before(ExchangeOrder order, StepCalendar steps) {
    Signal signal = signals.get(order.instrument());
    return signal == null ? Double.NaN : signal.last(steps.previousStart(), steps.stepStart() - 1);
  }
}
