package io.tranche.backtest.executor;

/// How steps are measured. Qlib: `indicator_config`.
///
/// @param base what prices are compared with
/// @param advantageWeight how the advantages of a step's instruments are averaged
/// @param fillRateWeight how the fill rates of a step's instruments are averaged
/// @param valuesBelow whether the histories of all levels but the outermost have the filled amount
///   times the price where the price belongs, because Qlib overwrites it to add levels up (Q34)
public record IndicatorConfig(
    Base base, Weight advantageWeight, Weight fillRateWeight, boolean valuesBelow) {

  public static final IndicatorConfig DEFAULT =
      new IndicatorConfig(Base.TWAP, Weight.MEAN, Weight.MEAN, false);

  /// What Qlib keeps.
  public static final IndicatorConfig QLIB =
      new IndicatorConfig(Base.TWAP, Weight.MEAN, Weight.MEAN, true);

  /// The price that an order is compared with.
  public enum Base {
    /// The mean deal price of the bars.
    TWAP,
    /// The mean deal price weighted by the market's volume.
    VWAP
  }

  /// The weights of an average.
  public enum Weight {
    MEAN,
    AMOUNT,
    VALUE
  }
}
