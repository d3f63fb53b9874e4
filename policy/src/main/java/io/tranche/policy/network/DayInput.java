package io.tranche.policy.network;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.feature.DayFeatures;
import io.tranche.tensor.Rows;
import java.util.Arrays;

/// What encoders are fed of observations.
final class DayInput {

  private DayInput() {}

  /// Writes the day that `observation` shows to `target`, row `step * lanes + lane`: a row of
  /// zeros, so that reading at the current tick gives what is known before it, then the ticks.
  static void day(
      FullHistoryObservation observation, int lane, int lanes, int steps, int width, Rows target) {
    DayFeatures day = observation.features();
    int shown = Math.min(steps - 1, DayLane.shown(observation));
    float[] data = target.data();
    int at = target.offset(lane);
    Arrays.fill(data, at, at + width, 0);
    for (int tick = 0; tick < steps - 1; tick++) {
      at = target.offset((tick + 1) * lanes + lane);
      if (tick < shown) {
        day.copyToday(tick, 1, data, at);
      } else {
        Arrays.fill(data, at, at + width, 0);
      }
    }
  }

  /// Writes what remained before decision `step` and how far that is, to `data`, from `at` on.
  static void decision(FullHistoryObservation observation, int step, float[] data, int at) {
    data[at] = observation.positionAt(step) / observation.target();
    data[at + 1] = (float) step / observation.maxSteps();
  }
}
