package io.tranche.backtest.executor;

import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.market.Order;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Splits the decision of the level above into decisions for the steps of its own level. One object
/// serves one run: some of an instrument's days, or all of them if cash is limited. It must not
/// rely on state of an earlier day. Used by one thread at a time. Qlib: `BaseStrategy`.
public interface Strategy {

  /// Makes the strategies of runs. Safe to use from several threads.
  @FunctionalInterface
  interface Factory {
    Strategy create();
  }

  /// Receives all orders of the run, by date, before it begins. They must not change decisions:
  /// they only allow computing something for many orders at once.
  default void expect(List<Order> orders) {}

  /// Begins with a new step of the level above.
  default void begin(Level level) {}

  /// Decides for the current step of `level`.
  ///
  /// @param last the fills of the previous decision; null at the first
  /// @return null to wait for an external decision: the executor stops, and asks again when it
  ///   continues
  @Nullable TradeDecision decide(Level level, @Nullable List<ExchangeFill> last);

  /// Receives the fills of the step that has just ended.
  default void filled(Level level, List<ExchangeFill> fills) {}

  /// Called when the step of the level above is over.
  default void finished(Level level) {}
}
