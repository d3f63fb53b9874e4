package io.tranche.backtest.executor;

import io.tranche.backtest.exchange.Deal;
import java.util.List;

/// The lowest level: where tickets meet bars.
interface Leaf {

  /// Executes the decision for the current step of `level`.
  List<Deal> deal(Level level, Decision decision);

  /// Whether a ticket gives one deal, so that a second deal of an instrument is a second ticket's.
  boolean dealsOnce();
}
