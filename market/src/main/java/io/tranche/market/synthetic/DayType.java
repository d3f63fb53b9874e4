package io.tranche.market.synthetic;

/// The kind of an instrument's day: on busy days returns continue, on quiet days they reverse. Only
/// the volume reveals it.
enum DayType {
  BUSY(1.7, 0.48),
  QUIET(0.6, -1.0);

  /// Volume as a multiple of the usual.
  private final double activity;

  /// The share of a past return that will follow (or be taken back) while it is remembered.
  private final double strength;

  DayType(double activity, double strength) {
    this.activity = activity;
    this.strength = strength;
  }

  double activity() {
    return activity;
  }

  double strength() {
    return strength;
  }
}
