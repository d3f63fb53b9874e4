package io.tranche.backtest.run;

import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.executor.StepIndicators;
import io.tranche.market.Order;
import java.util.List;
import java.util.Map;

/// The results of a backtest for one instrument.
///
/// @param rows one per day with an order, by time
/// @param fills of every order that went to the market, in order
/// @param sent every child order of every level below the outermost, in order; none if they are not
///   recorded
/// @param histories each level's steps: one map per run, by the name of the level's frequency
/// @param failures orders that were left out
public record InstrumentResult(
    String instrument,
    List<ResultRow> rows,
    List<ExchangeFill> fills,
    List<SentOrder> sent,
    List<Map<String, List<StepIndicators>>> histories,
    List<FailedOrder> failures) {

  public InstrumentResult {
    rows = List.copyOf(rows);
    fills = List.copyOf(fills);
    sent = List.copyOf(sent);
    histories = List.copyOf(histories);
    failures = List.copyOf(failures);
  }

  /// A child order as it was sent, filled or not.
  ///
  /// @param level the width of the step that it was sent for, as written in the configuration
  /// @param parents the orders that it belongs to: more than one only if several of one side were
  ///   worked together on one day
  public record SentOrder(String level, ExchangeOrder order, List<Order> parents) {

    public SentOrder {
      parents = List.copyOf(parents);
    }
  }

  /// An order that could not be run, and why.
  ///
  /// @param reason one sentence
  /// @param fills of its day and instrument until it failed; no result counts them
  public record FailedOrder(Order order, String reason, List<ExchangeFill> fills) {

    public FailedOrder {
      fills = List.copyOf(fills);
    }
  }
}
