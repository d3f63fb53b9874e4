package io.tranche.market.feature;

/// One decision for an order in a day of features: what networks over the day read.
///
/// The features are two matrices with one row per tick: those of today, of which only the first
/// [#visibleTicks] may be read, and those of yesterday, which are complete. Hot path: only the
/// methods for error messages allocate.
public interface DayObservation extends ProgressObservation {

  /// Returns the identity of the features: the same object for all observations that share them.
  Object day();

  /// Returns the identity of the episode: the same object for all its observations.
  Object episode();

  /// Returns the number of rows of both matrices.
  int ticks();

  int todayWidth();

  int yesterdayWidth();

  /// Copies one row of today's features to `target`, from `at` on.
  void copyToday(int tick, float[] target, int at);

  /// Copies one row of yesterday's features to `target`, from `at` on.
  void copyYesterday(int tick, float[] target, int at);

  /// Returns the number of ticks of today that may be read.
  int visibleTicks();

  /// Returns the number of leading ticks with only finite features of today.
  int finiteToday();

  /// Returns the number of leading ticks with only finite features of yesterday.
  int finiteYesterday();

  /// Returns the name of the day in error messages.
  String where();

  /// Returns the name of a tick in error messages.
  String describe(int tick);

  /// Returns the tick of the next decision.
  int tick();

  /// Returns the number of decisions taken so far, at most [#maxSteps] minus one.
  int step();

  /// Returns the maximum number of decisions of the order.
  int maxSteps();

  /// Returns the amount of the whole order.
  float target();

  /// Returns the amount remaining before decision `step`, 0 for a future decision.
  float remainingAt(int step);

  @Override
  default float remainingShare() {
    return remainingAt(step()) / target();
  }

  @Override
  default float stepShare() {
    return (float) step() / maxSteps();
  }
}
