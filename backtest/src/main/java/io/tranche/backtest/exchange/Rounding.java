package io.tranche.backtest.exchange;

/// How an amount becomes a whole number of trade units.
public enum Rounding {
  /// Down, except for a rounding error.
  DOWN {
    @Override
    double units(double shares, double unit) {
      return Math.floor(shares / unit + UNIT_SLACK);
    }
  },
  /// A tenth of a share is added first: an order just below a unit fills a whole unit, which is
  /// more than was asked for (quirk Q30). Qlib: `round_amount_by_trade_unit`.
  TENTH_SHARE_UP {
    @Override
    double units(double shares, double unit) {
      return floorDivide(shares + 0.1, unit);
    }
  };

  private static final double UNIT_SLACK = 1e-9;

  /// @param shares an amount of unadjusted shares
  abstract double units(double shares, double unit);

  /// Divides as Python's `//` does: the quotient of the exact remainder, not of the rounded
  /// division.
  private static double floorDivide(double a, double b) {
    double remainder = a % b;
    double quotient = (a - remainder) / b;
    if (remainder != 0 && (remainder < 0) != (b < 0)) {
      quotient -= 1;
    }
    double floor = Math.floor(quotient);
    return quotient - floor > 0.5 ? floor + 1 : floor;
  }
}
