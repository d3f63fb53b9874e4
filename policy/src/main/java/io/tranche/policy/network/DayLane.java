package io.tranche.policy.network;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.DataException;
import io.tranche.market.feature.DayFeatures;

/// Which observations see the same day, so that one encoding of it serves them all.
///
/// An encoder that looks only back and is read at the current tick has seen exactly the ticks
/// before it. All of them are visible if the rows of features are the simulator's ticks: then the
/// day itself is what is shared. If they are not (features every five minutes and ticks every
/// minute, missing rows), some that lie before the current tick by count are still to come by time
/// and read as zeros; then only observations with the same number of visible rows share.
///
/// @param day the features
/// @param visible how many rows are shown; the others read as zeros
record DayLane(DayFeatures day, int visible) {

  /// Returns the lane of `observation`.
  ///
  /// @throws DataException if its tick is behind the end of the features, or a feature it sees is
  ///   not finite: not every road to a network checks its observations
  static Object of(FullHistoryObservation observation) {
    DayFeatures day = observation.features();
    int tick = observation.tick();
    if (tick > day.ticks()) {
      throw new DataException(
          where(day), "at least %d rows of features".formatted(tick), day.ticks());
    }
    if (Math.min(tick, observation.visibleTicks()) > day.finiteToday()) {
      throw new DataException(
          where(day),
          "finite features of today",
          "something else at " + day.describe(day.finiteToday()));
    }
    return isAligned(observation)
        ? observation.features()
        : new DayLane(observation.features(), observation.visibleTicks());
  }

  static String where(DayFeatures day) {
    return "%s %s".formatted(day.instrument(), day.date());
  }

  static boolean isAligned(FullHistoryObservation observation) {
    return observation.visibleTicks() >= observation.tick();
  }

  /// Returns how many rows of the day the lane of `observation` shows.
  ///
  /// No observation reads the rows from the first one that is not finite on, see [#of], and what
  /// comes later must not reach the gradients of what came before.
  static int shown(FullHistoryObservation observation) {
    return isAligned(observation)
        ? observation.features().finiteToday()
        : observation.visibleTicks();
  }
}
