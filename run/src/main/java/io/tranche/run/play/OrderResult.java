package io.tranche.run.play;

import io.tranche.execution.ExecutionMetrics;
import io.tranche.execution.ExecutionState;
import io.tranche.market.Order;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// The result of one order under a policy.
///
/// @param filled how much of it was filled
/// @param averagePrice of its fills, with spread and impact; NaN if nothing was filled or it is not
///   known
/// @param benchmarkPrice the mean price of the order's window (its TWAP); NaN if it is not known
/// @param completion the filled part of the order
/// @param advantageBps how much better the order's price is than the benchmark, in basis points.
///   What is not filled counts at the last price at which the order could have traded
/// @param costBps fees and taxes, in basis points of the order's value at the benchmark price
public record OrderResult(
    Order order,
    double filled,
    double averagePrice,
    double benchmarkPrice,
    double completion,
    double advantageBps,
    double costBps) {

  /// Returns a result of which no more is known than this; it has no costs.
  public static OrderResult of(Order order, double advantageBps, double completion) {
    return new OrderResult(
        order, completion * order.amount(), Double.NaN, Double.NaN, completion, advantageBps, 0);
  }

  /// Returns the result of an order that is over.
  public static OrderResult of(ExecutionState end) {
    Order order = end.order();
    ExecutionMetrics metrics = end.metrics();
    double benchmark = end.twapPrice();
    if (metrics == null) { // Qlib's dialect has no metrics for an order that is not filled
      double completion = 1 - end.remaining() / order.amount();
      return new OrderResult(
          order, completion * order.amount(), Double.NaN, benchmark, completion, 0, 0);
    }
    return new OrderResult(
        order,
        metrics.filledAmount(),
        metrics.filledAmount() > 0 ? metrics.tradePrice() : Double.NaN,
        benchmark,
        metrics.fillRate(),
        metrics.advantageBps(),
        end.costBps());
  }

  /// Returns the advantage after costs.
  public double netAdvantageBps() {
    return advantageBps - costBps;
  }

  /// Returns the row of `result.csv`.
  Map<String, Object> row() {
    var row = new LinkedHashMap<String, Object>();
    row.put("instrument", order.instrument());
    row.put("side", order.side().name().toLowerCase(Locale.ROOT));
    row.put("start", order.start());
    row.put("end", order.end());
    row.put("amount", order.amount());
    row.put("filled", filled);
    row.put("completion", completion);
    row.put("average_price", averagePrice);
    row.put("benchmark_price", benchmarkPrice);
    row.put("advantage_bps", advantageBps);
    row.put("cost_bps", costBps);
    row.put("net_advantage_bps", netAdvantageBps());
    return row;
  }

  /// Returns how much better this result is than another of the same order, number by number.
  OrderResult minus(OrderResult other) {
    return new OrderResult(
        order,
        filled - other.filled,
        averagePrice - other.averagePrice,
        benchmarkPrice - other.benchmarkPrice,
        completion - other.completion,
        advantageBps - other.advantageBps,
        costBps - other.costBps);
  }
}
