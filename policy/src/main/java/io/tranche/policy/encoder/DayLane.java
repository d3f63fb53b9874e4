package io.tranche.policy.encoder;

import io.tranche.market.DataException;
import io.tranche.market.feature.DayObservation;

/// Identifies observations of the same day, which can share one encoding.
///
/// An encoder that looks only backward and is read at the current tick has seen exactly the rows
/// before it. If the features have one row per tick of the simulator, all of these are visible, and
/// all observations of a day share an encoding. Otherwise (five-minute features with one-minute
/// ticks, or missing rows) some rows before the current tick by count lie in the future by time and
/// read as zeros. Then only observations with the same number of visible rows share an encoding.
///
/// @param day the features
/// @param visible number of visible rows; the others read as zeros
public record DayLane(Object day, int visible) {

  /// Returns the lane of `observation`.
  ///
  /// @throws DataException if its tick is beyond the end of the features, or a visible feature is
  ///   not finite: not every caller has checked its observations
  public static Object of(DayObservation observation) {
    require(observation);
    return isAligned(observation)
        ? observation.day()
        : new DayLane(observation.day(), observation.visibleTicks());
  }

  /// Refuses an observation that networks cannot read.
  ///
  /// @throws DataException as [#of]
  public static void require(DayObservation observation) {
    int tick = observation.tick();
    if (tick > observation.ticks()) {
      throw new DataException(
          observation.where(), "at least %d rows of features".formatted(tick), observation.ticks());
    }
    if (Math.min(tick, observation.visibleTicks()) > observation.finiteToday()) {
      throw new DataException(
          observation.where(),
          "finite features of today",
          "NaN or infinite at " + observation.describe(observation.finiteToday()));
    }
  }

  static boolean isAligned(DayObservation observation) {
    return observation.visibleTicks() >= observation.tick();
  }

  /// Returns the number of visible rows in the lane of `observation`.
  ///
  /// Ends before the first row that is not finite: no observation reads later rows, see [#of], and
  /// they must not affect the gradients of earlier ones.
  static int shown(DayObservation observation) {
    return isAligned(observation) ? observation.finiteToday() : observation.visibleTicks();
  }
}
