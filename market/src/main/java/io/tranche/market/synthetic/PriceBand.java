package io.tranche.market.synthetic;

/// The prices an exchange allows on one day: 10 % on either side of yesterday's last close.
///
/// @param reference yesterday's last close
record PriceBand(double reference, double lower, double upper) {

  /// How many of the smallest price steps make one unit of price.
  static final int TICKS = 100;

  private static final double LIMIT = 0.1;

  static PriceBand around(double reference) {
    return new PriceBand(reference, ticks(reference * (1 - LIMIT)), ticks(reference * (1 + LIMIT)));
  }

  /// Returns `price` in whole ticks and within the band.
  double allow(double price) {
    return Math.clamp(ticks(price), lower, upper);
  }

  boolean isLimitUp(double price) {
    return price >= upper;
  }

  boolean isLimitDown(double price) {
    return price <= lower;
  }

  static double ticks(double price) {
    return Math.max(1, Math.rint(price * TICKS)) / TICKS;
  }
}
