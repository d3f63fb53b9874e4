package io.tranche.policy.encoder;

import io.tranche.market.DataException;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.experience.Slice;
import io.tranche.tensor.Rows;
import java.util.Arrays;
import java.util.Collection;

/// The features of an observation, one row per tick, as encoders read them.
///
/// A row of zeros comes first, so that reading at the current tick gives the encoding before it.
enum DayMatrix {
  TODAY,
  /// Complete before the day begins.
  YESTERDAY;

  /// Returns the number of rows of the encoded matrix that `observation` can read.
  int stepsRead(DayObservation observation) {
    // Rows after the last tick that is read change nothing.
    return this == TODAY ? observation.tick() + 1 : steps(observation);
  }

  /// Returns the number of visible ticks; the others read as zeros.
  private int shown(DayObservation observation) {
    if (this == TODAY) {
      return DayLane.shown(observation);
    }
    if (observation.finiteYesterday() < observation.ticks()) {
      throw new DataException(
          observation.where(),
          "finite features of yesterday",
          "NaN or infinite at " + observation.describe(observation.finiteYesterday()));
    }
    return observation.ticks();
  }

  /// Returns the number of rows of the whole matrix.
  static int steps(DayObservation observation) {
    return observation.ticks() + 1;
  }

  /// Encodes the part of each lane that is read.
  ///
  /// @param width the number of features per tick
  void encode(Slice<? extends DayObservation> slice, CausalEncoder.Pass pass, int width) {
    int steps = 0;
    for (int i = 0; i < slice.size(); i++) {
      steps = Math.max(steps, stepsRead(slice.observation(i)));
    }
    pass.begin(steps, slice.lanes());
    for (int i = 0; i < slice.size(); i++) {
      if (i == 0 || slice.lane(i) != slice.lane(i - 1)) {
        write(slice.observation(i), pass, slice.lane(i), steps, width);
      }
    }
    pass.forward();
  }

  /// Encodes the day of each observation up to step `end`, one lane per observation.
  void encode(
      Collection<? extends DayObservation> lanes, CausalEncoder.Pass pass, int width, int end) {
    int steps = 0;
    for (DayObservation each : lanes) {
      steps = Math.max(steps, Math.min(end, steps(each)));
    }
    pass.begin(steps, lanes.size());
    int lane = 0;
    for (DayObservation each : lanes) {
      write(each, pass, lane++, steps, width);
    }
    pass.forward();
  }

  private void write(
      DayObservation observation, CausalEncoder.Pass pass, int lane, int steps, int width) {
    int given = this == TODAY ? observation.todayWidth() : observation.yesterdayWidth();
    if (given != width) {
      throw new DataException(observation.where(), width + " features per tick", given);
    }
    Rows target = pass.input();
    int shown = shown(observation);
    for (int step = 0; step < steps; step++) {
      int at = target.offset(pass.row(step, lane));
      if (step > 0 && step <= shown) {
        switch (this) {
          case TODAY -> observation.copyToday(step - 1, target.data(), at);
          case YESTERDAY -> observation.copyYesterday(step - 1, target.data(), at);
        }
      } else {
        Arrays.fill(target.data(), at, at + width, 0);
      }
    }
  }
}
