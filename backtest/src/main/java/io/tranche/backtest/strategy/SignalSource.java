package io.tranche.backtest.strategy;

import io.tranche.market.store.FeatureRows;
import io.tranche.market.store.QlibStore;
import java.util.List;

/// Where strategies find signals: values of an expression. Safe to use from several threads.
@FunctionalInterface
public interface SignalSource {

  /// Returns the values of `expression` from `start` to `end`, both included.
  Signal signal(String instrument, String expression, long start, long end);

  /// Values over time.
  @FunctionalInterface
  interface Signal {

    /// Returns the last number from `start` to `end`, both included; NaN if there is none.
    double last(long start, long end);
  }

  /// Returns the signals of a store, at the frequency it was opened with.
  static SignalSource of(QlibStore store) {
    return (instrument, expression, start, end) -> {
      FeatureRows rows = store.query(List.of(expression), start, end).rows(instrument);
      return (from, to) -> {
        for (int row = rows.size() - 1; row >= 0 && rows.time(row) >= from; row--) {
          if (rows.time(row) <= to && !Float.isNaN(rows.value(0, row))) {
            return rows.value(0, row);
          }
        }
        return Double.NaN;
      };
    };
  }
}
