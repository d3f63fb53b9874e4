package io.tranche.work.backtest;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.executor.StepIndicators;
import io.tranche.backtest.executor.StepIndicators.Line;
import io.tranche.backtest.run.InstrumentResult;
import io.tranche.backtest.run.InstrumentResult.SentOrder;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Every detail of a backtest, by instrument and day: the child orders as they were sent, their
/// fills at the market, and the indicators of every step of every level.
final class LogFiles {

  private static final String ORDERS = "orders.csv";
  private static final String FILLS = "fills.csv";
  private static final String HISTORY = "history.csv";

  static final List<String> NAMES = List.of(ORDERS, FILLS, HISTORY);

  private LogFiles() {}

  /// Returns the logs of a group of orders by name, without empty ones.
  ///
  /// @param rows the row of each order in the order file
  static Map<String, String> texts(InstrumentResult result, Map<Order, Integer> rows) {
    var texts = new LinkedHashMap<String, String>();
    put(texts, ORDERS, result.sent().stream().map(sent -> order(sent, rows)).toList());
    put(texts, FILLS, result.fills().stream().map(LogFiles::fill).toList());
    put(texts, HISTORY, steps(result));
    return texts;
  }

  private static void put(
      Map<String, String> texts, String name, List<Map<String, Object>> records) {
    if (!records.isEmpty()) {
      texts.put(name, CsvFile.text(records));
    }
  }

  private static Map<String, Object> order(SentOrder sent, Map<Order, Integer> rows) {
    ExchangeOrder order = sent.order();
    var record = new LinkedHashMap<String, Object>();
    record.put("level", sent.level());
    record.put("instrument", order.instrument());
    record.put(
        "parent",
        sent.parents().stream()
            .map(parent -> String.valueOf(rows.get(parent)))
            .collect(Collectors.joining("+")));
    record.put("side", ResultFiles.side(order.side()));
    record.put("datetime", BarTime.format(order.start()));
    record.put("end", BarTime.format(order.end()));
    record.put("amount", order.amount());
    record.put("kind", kind(order.kind()));
    record.put("offset_bps", order.kind() instanceof Kind.Limit(double bps) ? bps : Double.NaN);
    return record;
  }

  private static String kind(Kind kind) {
    return switch (kind) {
      case Kind.Market _ -> "market";
      case Kind.Limit _ -> "limit";
      case Kind.Cancel _ -> "cancel";
    };
  }

  private static List<Map<String, Object>> steps(InstrumentResult result) {
    // One day after another, whichever days were run together.
    var days = new TreeMap<LocalDate, List<Map<String, Object>>>();
    for (Map<String, List<StepIndicators>> run : result.histories()) {
      run.forEach(
          (level, steps) -> {
            for (StepIndicators step : steps) {
              List<Map<String, Object>> day =
                  days.computeIfAbsent(BarTime.date(step.time()), _ -> new ArrayList<>());
              step.lines().forEach(line -> day.add(step(level, step, line)));
            }
          });
    }
    return days.values().stream().flatMap(List::stream).toList();
  }

  private static Map<String, Object> fill(ExchangeFill fill) {
    var record = new LinkedHashMap<String, Object>();
    record.put("instrument", fill.order().instrument());
    record.put("side", ResultFiles.side(fill.order().side()));
    record.put("datetime", BarTime.format(fill.time()));
    record.put("amount", fill.order().amount());
    record.put("deal_amount", fill.amount());
    record.put("trade_price", fill.price());
    record.put("trade_value", fill.value());
    record.put("trade_cost", fill.cost());
    return record;
  }

  private static Map<String, Object> step(String level, StepIndicators step, Line line) {
    var record = new LinkedHashMap<String, Object>();
    record.put("level", level);
    record.put("instrument", line.instrument());
    record.put("datetime", BarTime.format(step.time()));
    record.put("inner_amount", line.innerAmount());
    record.put("deal_amount", line.filledAmount());
    record.put("trade_price", line.tradePrice());
    record.put("trade_value", line.tradeValue());
    record.put("trade_cost", line.tradeCost());
    record.put("amount", line.amount());
    record.put("ffr", line.fillRate());
    record.put("base_volume", line.baseVolume());
    record.put("base_price", line.basePrice());
    record.put("pa", line.advantage() * 10_000);
    return record;
  }
}
