package io.tranche.market.synthetic;

/// What kind of day an instrument has: on busy days returns run on, on quiet days they turn back.
/// Nobody announces it; the volume shows it.
enum DayType {
  BUSY(1.7, 0.48),
  QUIET(0.6, -1.0);

  /// Volume as a multiple of the usual.
  private final double activity;

  /// What share of a past return is to follow (or be taken back) while it is remembered.
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
