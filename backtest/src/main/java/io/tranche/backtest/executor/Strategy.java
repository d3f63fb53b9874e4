package io.tranche.backtest.executor;

import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.market.Order;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Splits the decision of the level above into decisions for the steps of its own level. One object
/// serves one run, which is some of an instrument's days, or all of them where cash is counted:
/// what it remembers of one day may be gone on the next. Used by one thread at a time. Qlib:
/// `BaseStrategy`.
public interface Strategy {

  /// Makes the strategies of runs. Safe to use from several threads.
  @FunctionalInterface
  interface Factory {
    Strategy create();
  }

  /// Hears of all orders of the run, by date, before it begins. They change no decision: whoever
  /// can work out something for many at once does so.
  default void expect(List<Order> orders) {}

  /// Begins with a new step of the level above.
  default void begin(Level level) {}

  /// Decides for the current step of `level`.
  ///
  /// @param last what became of the previous decision, step by step below; null at the first
  /// @return null to wait for somebody outside: the executor stops there, and asks again when it
  ///   goes on
  @Nullable TradeDecision decide(Level level, @Nullable List<ExchangeFill> last);

  /// Hears what became of the decision for the step that has just ended.
  default void filled(Level level, List<ExchangeFill> fills) {}

  /// Hears that the step of the level above is over.
  default void finished(Level level) {}
}
