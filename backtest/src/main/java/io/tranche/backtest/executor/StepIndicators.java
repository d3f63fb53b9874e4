package io.tranche.backtest.executor;

import io.tranche.backtest.executor.IndicatorConfig.Weight;
import java.util.List;

/// The indicators of one step of one level: one line per instrument, and totals.
///
/// Qlib keeps two tables: order indicators (the lines) and trade indicators (the totals).
///
/// @param time the [io.tranche.market.BarTime] at which the step started
/// @param lines ordered by instrument
/// @param fillRate the average over the instruments with an order
/// @param advantage the average price advantage as a fraction; NaN if nothing was filled
/// @param positiveRate the share of positive advantages
/// @param orders the number of instruments with an order
public record StepIndicators(
    long time,
    List<Line> lines,
    double fillRate,
    double advantage,
    double positiveRate,
    double filledAmount,
    double filledValue,
    int orders) {

  /// The indicators of one instrument. Amounts and values have the sign of their side. A missing
  /// value is NaN: the first six and the advantage if nothing was submitted below, amount and fill
  /// rate if the decision had no order, the base if there is no price to compare with.
  ///
  /// @param innerAmount what was submitted below
  /// @param tradePrice the average price of the fills, NaN if there are none; see
  ///   [IndicatorConfig#valuesBelow]
  /// @param tradeDirection 1 for a purchase, 0 for a sale
  /// @param amount what the decision wanted
  /// @param fillRate the filled fraction of `amount`
  /// @param baseVolume the number of bars, or the volume, that the base price averages over
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

  /// Returns a copy for the history of a level whose prices were overwritten: Q34.
  StepIndicators withValuesAsPrices() {
    List<Line> overwritten =
        lines.stream()
            .map(
                line ->
                    new Line(
                        line.instrument,
                        line.innerAmount,
                        line.filledAmount,
                        line.filledAmount * line.tradePrice,
                        line.tradeValue,
                        line.tradeCost,
                        line.tradeDirection,
                        line.amount,
                        line.fillRate,
                        line.baseVolume,
                        line.basePrice,
                        line.advantage))
            .toList();
    return new StepIndicators(
        time, overwritten, fillRate, advantage, positiveRate, filledAmount, filledValue, orders);
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
