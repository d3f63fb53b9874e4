package io.tranche.execution;

import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;

/// Writes the metrics of a finished order into the log, under Qlib's names and in its order.
final class MetricLog {

  private MetricLog() {}

  /// @param singles whether market columns are float32, which Qlib does not average as numbers
  static void write(
      LogCollector log, ExecutionState state, ExecutionMetrics metrics, boolean singles) {
    log.any("history_steps", state.stepRows(), LogLevel.DEBUG);
    log.any("history_exec", state.tickRows(), LogLevel.DEBUG);
    log.any("stock_id", metrics.instrument(), LogLevel.PERIODIC);
    log.any("datetime", metrics.time(), LogLevel.PERIODIC);
    log.any("direction", metrics.side(), LogLevel.PERIODIC);
    market(log, "market_volume", metrics.marketVolume(), singles);
    market(log, "market_price", metrics.marketPrice(), singles);
    log.scalar("amount", metrics.amount());
    log.scalar("inner_amount", metrics.innerAmount());
    log.scalar("deal_amount", metrics.filledAmount());
    log.scalar("trade_price", metrics.tradePrice());
    log.scalar("trade_value", metrics.tradeValue());
    log.scalar("position", metrics.remaining());
    log.scalar("ffr", metrics.fillRate());
    log.scalar("pa", metrics.advantageBps());
    metrics.extra().forEach(log::scalar);
  }

  private static void market(LogCollector log, String name, double value, boolean singles) {
    if (singles) {
      log.any(name, (float) value, LogLevel.PERIODIC);
    } else {
      log.scalar(name, value);
    }
  }
}
