package io.tranche.backtest.run;

import io.tranche.backtest.executor.StepIndicators;
import io.tranche.backtest.executor.StepIndicators.Line;
import io.tranche.market.BarTime;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.Map;

/// The result of an instrument's order on one day: a row of `backtest_result.csv`.
public record ResultRow(LocalDateTime time, Line line) {

  static ResultRow of(StepIndicators day, Line line) {
    return new ResultRow(BarTime.dateTime(day.time()), line);
  }

  public String instrument() {
    return line.instrument();
  }

  /// Returns the price advantage in basis points, NaN if nothing was filled.
  public double advantageBps() {
    return line.advantage() * 10_000;
  }

  /// Returns the row under Qlib's names and in its order; the price advantage is in basis points.
  public Map<String, Object> record() {
    var record = new LinkedHashMap<String, Object>();
    record.put("instrument", line.instrument());
    record.put("datetime", time);
    record.put("inner_amount", line.innerAmount());
    record.put("deal_amount", line.filledAmount());
    record.put("trade_price", line.tradePrice());
    record.put("trade_value", line.tradeValue());
    record.put("trade_cost", line.tradeCost());
    record.put("trade_dir", line.tradeDirection());
    record.put("amount", line.amount());
    record.put("ffr", line.fillRate());
    if (line.isSubmitted()) {
      record.put("base_volume", line.baseVolume());
      record.put("base_price", line.basePrice());
    }
    record.put("pa", advantageBps());
    return record;
  }
}
