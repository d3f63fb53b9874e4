package io.tranche.backtest.run;

import java.util.List;

/// The results of many orders together. Advantages are in basis points; an order without fills has
/// none.
///
/// @param orders the number of orders
/// @param filled the number of orders with a fill
/// @param fillRate the mean of all orders
/// @param advantageBps the mean
/// @param informationRatio the mean advantage over its standard deviation; NaN for fewer than two
/// @param positiveRate the share of positive advantages
/// @param gainLossRatio the mean of the positive advantages over that of the negative ones without
///   their sign; NaN if either is missing
/// @param value of all fills, in money
/// @param cost fees in total
public record ResultSummary(
    int orders,
    int filled,
    double fillRate,
    double advantageBps,
    double informationRatio,
    double positiveRate,
    double gainLossRatio,
    double value,
    double cost) {

  public static ResultSummary of(List<ResultRow> rows) {
    double[] advantages =
        rows.stream()
            .mapToDouble(ResultRow::advantageBps)
            .filter(advantage -> !Double.isNaN(advantage))
            .toArray();
    double mean = 0;
    double gains = 0;
    double losses = 0;
    int gaining = 0;
    int losing = 0;
    for (double advantage : advantages) {
      mean += advantage / advantages.length;
      if (advantage > 0) {
        gains += advantage;
        gaining++;
      } else if (advantage < 0) {
        losses -= advantage;
        losing++;
      }
    }
    double squares = 0;
    for (double advantage : advantages) {
      squares += (advantage - mean) * (advantage - mean);
    }
    double fillRate = 0;
    double value = 0;
    double cost = 0;
    for (ResultRow row : rows) {
      fillRate += row.line().fillRate() / rows.size();
      if (row.line().isSubmitted()) {
        value += Math.abs(row.line().tradeValue());
        cost += row.line().tradeCost();
      }
    }
    int filled = advantages.length;
    return new ResultSummary(
        rows.size(),
        filled,
        rows.isEmpty() ? Double.NaN : fillRate,
        filled == 0 ? Double.NaN : mean,
        mean / Math.sqrt(squares / (filled - 1)),
        (double) gaining / filled,
        gains / gaining / (losses / losing),
        value,
        cost);
  }
}
