package io.tranche.market.expression;

/// Statistics over the last bars of one expression. NaN is not an observation; one observation is
/// enough.
public enum RollingOperator {
  MEAN("Mean", true),
  SUM("Sum", true),
  STD("Std", true),
  VAR("Var", true),
  SKEW("Skew", true),
  KURT("Kurt", true),
  MAX("Max", true),
  MIN("Min", true),
  MED("Med", true),
  COUNT("Count", true),
  /// The mean absolute deviation from the mean.
  MAD("Mad", false),
  /// The position of the largest value in the window, 1 being the oldest; the first NaN if there is
  /// one.
  IDX_MAX("IdxMax", false),
  IDX_MIN("IdxMin", false),
  /// The share of the window that is not above the newest value, ties by their mean.
  RANK("Rank", false),
  /// The slope of a straight line through the window.
  SLOPE("Slope", false),
  /// The share of the variance that the line explains.
  RSQUARE("Rsquare", false),
  /// The newest value minus the line's value there.
  RESI("Resi", false),
  /// The mean weighted 1, 2, 3, ... from the oldest, divided once more by the number of values.
  WMA("WMA", false),
  EMA("EMA", true);

  private final String text;
  private final boolean takesFraction;

  RollingOperator(String text, boolean takesFraction) {
    this.text = text;
    this.takesFraction = takesFraction;
  }

  /// Whether a window between 0 and 1 turns it into an exponential mean.
  boolean takesFraction() {
    return takesFraction;
  }

  /// Returns the smallest window other than 0.
  int smallestWindow() {
    return switch (this) {
      case SKEW -> 3;
      case KURT -> 4;
      default -> 1;
    };
  }

  /// Returns Qlib's name.
  @Override
  public String toString() {
    return text;
  }
}
