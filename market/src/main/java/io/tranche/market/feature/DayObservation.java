package io.tranche.market.feature;

/// One decision for an order in a day of features: what networks over the day read.
///
/// The features are two matrices with one row per tick: those of today, of which only the first
/// [#visibleTicks] may be read, and those of yesterday, which are complete. Hot path: no method but
/// those for error messages allocates.
public interface DayObservation {

  /// Returns the identity of the features: the same object for all observations that share them.
  Object day();

  /// Returns the number of rows of both matrices.
  int ticks();

  int todayWidth();

  int yesterdayWidth();

  /// Copies one row of today's features to `target`, from `at` on.
  void copyToday(int tick, float[] target, int at);

  /// Copies one row of yesterday's features to `target`, from `at` on.
  void copyYesterday(int tick, float[] target, int at);

  /// Returns how many ticks of today may be read.
  int visibleTicks();

  /// Returns how many ticks, from the first on, have only finite features of today.
  int finiteToday();

  /// Returns how many ticks, from the first on, have only finite features of yesterday.
  int finiteYesterday();

  /// Returns what the day is called in error messages.
  String where();

  /// Returns what a tick is called in error messages.
  String describe(int tick);

  /// Returns the tick of the next decision.
  int tick();

  /// Returns the number of decisions taken so far, at most [#maxSteps] less one.
  int step();

  /// Returns how many decisions the order has at most.
  int maxSteps();

  /// Returns the amount of the whole order.
  float target();

  /// Returns what remained of the order before decision `step`, 0 for one still to come.
  float remainingAt(int step);

  /// Returns 1 for a buy and 0 for a sell.
  int sideCode();
}
