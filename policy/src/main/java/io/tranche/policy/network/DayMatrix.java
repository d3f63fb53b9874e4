package io.tranche.policy.network;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.DataException;
import io.tranche.market.feature.DayFeatures;
import io.tranche.tensor.Rows;
import java.util.Arrays;
import java.util.Collection;

/// What an observation shows of the market, a row a tick, as encoders are fed it.
///
/// A row of zeros comes first, so that reading at the current tick gives what is known before it.
enum DayMatrix {
  TODAY {
    @Override
    int stepsRead(FullHistoryObservation observation) {
      // What comes after the last tick that is read changes nothing.
      return observation.tick() + 1;
    }

    @Override
    int shown(FullHistoryObservation observation) {
      return DayLane.shown(observation);
    }

    @Override
    int width(DayFeatures day) {
      return day.columns().today().size();
    }

    @Override
    void copy(DayFeatures day, int tick, float[] target, int at) {
      day.copyToday(tick, 1, target, at);
    }
  },

  /// Complete before the day begins.
  YESTERDAY {
    @Override
    int stepsRead(FullHistoryObservation observation) {
      return steps(observation);
    }

    @Override
    int shown(FullHistoryObservation observation) {
      DayFeatures day = observation.features();
      if (day.finiteYesterday() < day.ticks()) {
        throw new DataException(
            DayLane.where(day),
            "finite features of yesterday",
            "something else at " + day.describe(day.finiteYesterday()));
      }
      return day.ticks();
    }

    @Override
    int width(DayFeatures day) {
      return day.columns().yesterday().size();
    }

    @Override
    void copy(DayFeatures day, int tick, float[] target, int at) {
      day.copyYesterday(tick, 1, target, at);
    }
  };

  /// Returns how many rows of the encoded matrix `observation` can read.
  abstract int stepsRead(FullHistoryObservation observation);

  /// Returns how many ticks are shown; the others read as zeros.
  abstract int shown(FullHistoryObservation observation);

  /// Returns how many features a tick has.
  abstract int width(DayFeatures day);

  abstract void copy(DayFeatures day, int tick, float[] target, int at);

  /// Returns how many rows the whole matrix has.
  static int steps(FullHistoryObservation observation) {
    return observation.features().ticks() + 1;
  }

  /// Encodes as much of each lane as is read.
  ///
  /// @param width how many features a tick has
  void encode(Slice<FullHistoryObservation> slice, CausalEncoder.Pass pass, int width) {
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

  /// Encodes all of each observation's day, a lane each.
  void encode(Collection<FullHistoryObservation> lanes, CausalEncoder.Pass pass, int width) {
    encode(lanes, pass, width, Integer.MAX_VALUE);
  }

  /// Encodes each observation's day up to step `end`, a lane each.
  void encode(
      Collection<FullHistoryObservation> lanes, CausalEncoder.Pass pass, int width, int end) {
    int steps = 0;
    for (FullHistoryObservation each : lanes) {
      steps = Math.max(steps, Math.min(end, steps(each)));
    }
    pass.begin(steps, lanes.size());
    int lane = 0;
    for (FullHistoryObservation each : lanes) {
      write(each, pass, lane++, steps, width);
    }
    pass.forward();
  }

  private void write(
      FullHistoryObservation observation, CausalEncoder.Pass pass, int lane, int steps, int width) {
    DayFeatures day = observation.features();
    if (width(day) != width) {
      throw new DataException(DayLane.where(day), width + " features a tick", width(day));
    }
    Rows target = pass.input();
    int shown = shown(observation);
    for (int step = 0; step < steps; step++) {
      int at = target.offset(pass.row(step, lane));
      if (step > 0 && step <= shown) {
        copy(day, step - 1, target.data(), at);
      } else {
        Arrays.fill(target.data(), at, at + width, 0);
      }
    }
  }
}
