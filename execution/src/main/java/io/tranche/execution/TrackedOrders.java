package io.tranche.execution;

import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.executor.Level;
import java.util.ArrayList;
import java.util.List;

/// The orders that a strategy splits, each followed through the levels below. Qlib: `SAOEStrategy`.
final class TrackedOrders {

  private final int granularity;
  private final boolean qlib;
  private final List<OrderTracker> trackers = new ArrayList<>();

  /// @param granularity minutes per bar
  TrackedOrders(int granularity, boolean qlib) {
    this.granularity = granularity;
    this.qlib = qlib;
  }

  void begin(Level level) {
    trackers.clear();
    if (!level.outer().isEmpty()) {
      for (ExchangeOrder order : level.outer().orders()) {
        trackers.add(new OrderTracker(order, level, granularity, qlib));
      }
    }
  }

  /// Returns one tracker per order of the decision above.
  List<OrderTracker> all() {
    return trackers;
  }

  void beginStep(Level level) {
    trackers.forEach(tracker -> tracker.beginStep(level));
  }

  void endStep(List<ExchangeFill> fills, Level level) {
    trackers.forEach(tracker -> tracker.endStep(fills, level));
  }

  void finish() {
    trackers.forEach(OrderTracker::finish);
  }
}
