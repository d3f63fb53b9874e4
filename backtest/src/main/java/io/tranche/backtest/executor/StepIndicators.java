package io.tranche.backtest.executor;

import io.tranche.backtest.executor.IndicatorConfig.Weight;
import java.util.List;

/// What was measured of one step of one level: line by line, an instrument each, and in total.
///
/// Qlib keeps two tables: order indicators (the lines) and trade indicators (the totals).
///
/// @param time the [io.tranche.market.BarTime] at which the step started
/// @param lines ordered by instrument
/// @param fillRate the average of those who had an order
/// @param advantage the average price advantage as a fraction; NaN if nothing was dealt
/// @param positiveRate how many of the advantages are positive
/// @param orders for how many instruments the decision had an order
public record StepIndicators(
    long time,
    List<Line> lines,
    double fillRate,
    double advantage,
    double positiveRate,
    double filledAmount,
    double filledValue,
    int orders) {

  /// What was measured of one instrument. Amounts and values have the sign of their side. NaN
  /// stands for what there is not: the first six and the advantage where nothing was submitted
  /// below, amount and fill rate where the decision had no order, the base where nothing compares.
  ///
  /// @param innerAmount what was submitted below
  /// @param tradePrice the average price of what was dealt, NaN if that is nothing
  /// @param tradeDirection 1 for a purchase, 0 for a sale
  /// @param amount what the decision wanted
  /// @param fillRate what was dealt as a fraction of that
  /// @param baseVolume how many bars, or how much volume, the base price is an average of
  /// @param advantage how much better the trade price is than the base price, as a fraction
  public record Line(
      String instrument,
      double innerAmount,
      double filledAmount,
      double tradePrice,
      double tradeValue,
      double tradeCost,
      double tradeDirection,
      double amount,
      double fillRate,
      double baseVolume,
      double basePrice,
      double advantage) {

    /// Whether anything was submitted below.
    public boolean isSubmitted() {
      return !Double.isNaN(tradeDirection);
    }

    /// Whether the decision had an order for it.
    public boolean isOrdered() {
      return !Double.isNaN(amount);
    }
  }

  public StepIndicators {
    lines = List.copyOf(lines);
  }

  static StepIndicators of(long time, List<Line> lines, IndicatorConfig config) {
    double advantages = 0;
    double advantageWeights = 0;
    double fillRates = 0;
    double fillRateWeights = 0;
    double filledAmount = 0;
    double filledValue = 0;
    int positive = 0;
    int compared = 0;
    int orders = 0;
    for (Line line : lines) {
      if (line.isSubmitted()) {
        filledAmount += Math.abs(line.filledAmount());
        filledValue += Math.abs(line.tradeValue());
      }
      if (!Double.isNaN(line.advantage())) {
        double weight = weight(config.advantageWeight(), line);
        advantages += line.advantage() * weight;
        advantageWeights += weight;
        positive += line.advantage() > 0 ? 1 : 0;
        compared++;
      }
      if (line.isOrdered()) {
        orders++;
      }
      if (!Double.isNaN(line.fillRate())) {
        double weight = weight(config.fillRateWeight(), line);
        fillRates += line.fillRate() * weight;
        fillRateWeights += weight;
      }
    }
    return new StepIndicators(
        time,
        lines,
        fillRates / fillRateWeights,
        advantages / advantageWeights,
        (double) positive / compared,
        filledAmount,
        filledValue,
        orders);
  }

  private static double weight(Weight weight, Line line) {
    double number =
        switch (weight) {
          case MEAN -> 1;
          case AMOUNT -> Math.abs(line.filledAmount());
          case VALUE -> Math.abs(line.tradeValue());
        };
    return Double.isNaN(number) ? 0 : number;
  }
}
