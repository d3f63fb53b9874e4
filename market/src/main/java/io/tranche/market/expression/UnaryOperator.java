package io.tranche.market.expression;

/// The functions of a single expression without further arguments.
public enum UnaryOperator {
  ABS("Abs"),
  SIGN("Sign"),
  LOG("Log"),
  NOT("Not"),
  IS_NULL("IsNull"),
  IS_INF("IsInf"),
  /// The last value that is not NaN.
  FORWARD_FILL("FFillNan"),
  /// The next value that is not NaN.
  BACKWARD_FILL("BFillNan"),
  /// The last value of the day that is not NaN, at every bar of that day.
  DAY_LAST("DayLast"),
  /// The calendar date as days since 1970-01-01, where Qlib gives a date object.
  DATE("Date");

  private final String text;

  UnaryOperator(String text) {
    this.text = text;
  }

  /// Returns Qlib's name.
  @Override
  public String toString() {
    return text;
  }
}
