package io.tranche.policy.encoder;

import io.tranche.market.DataException;
import io.tranche.market.feature.DayObservation;

/// Which observations see the same day, so that one encoding of it serves them all.
///
/// An encoder that looks only back and is read at the current tick has seen exactly the ticks
/// before it. All of them are visible if the features have one row per tick of the simulator: then
/// the day itself is what is shared. If they are not (features every five minutes and ticks every
/// minute, missing rows), some that lie before the current tick by count are still to come by time
/// and read as zeros; then only observations with the same number of visible rows share.
///
/// @param day the features
/// @param visible how many rows are shown; the others read as zeros
public record DayLane(Object day, int visible) {

  /// Returns the lane of `observation`.
  ///
  /// @throws DataException if its tick is behind the end of the features, or a feature it sees is
  ///   not finite: not every road to a network checks its observations
  public static Object of(DayObservation observation) {
    int tick = observation.tick();
    if (tick > observation.ticks()) {
      throw new DataException(
          observation.where(), "at least %d rows of features".formatted(tick), observation.ticks());
    }
    if (Math.min(tick, observation.visibleTicks()) > observation.finiteToday()) {
      throw new DataException(
          observation.where(),
          "finite features of today",
          "something else at " + observation.describe(observation.finiteToday()));
    }
    return isAligned(observation)
        ? observation.day()
        : new DayLane(observation.day(), observation.visibleTicks());
  }

  static boolean isAligned(DayObservation observation) {
    return observation.visibleTicks() >= observation.tick();
  }

  /// Returns how many rows of the day the lane of `observation` shows.
  ///
  /// No observation reads the rows from the first one that is not finite on, see [#of], and what
  /// comes later must not reach the gradients of what came before.
  static int shown(DayObservation observation) {
    return isAligned(observation) ? observation.finiteToday() : observation.visibleTicks();
  }
}
