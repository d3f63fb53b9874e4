package io.tranche.work.gym;

import io.tranche.env.Observation;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.feature.DayFeatures;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.network.Mlp;
import io.tranche.policy.network.MlpFactory;
import io.tranche.policy.network.NetworkInput;
import io.tranche.work.gym.SpaceLayout.Leaf;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Writes the observations of environments into shared memory. Environments may be written by
/// several threads at once, each by one.
///
/// @param <O> the observation
interface ObservationWriter<O extends Observation> {

  void write(int environment, O observation);

  /// Returns the space of what is written: that of the observations, or one row of numbers.
  static Space space(boolean flat, BuildContext context) {
    return flat
        ? new Space.Box(
            ElementType.FLOAT32,
            List.of(MlpFactory.inputs(NetworkInput.of(context))),
            Double.NEGATIVE_INFINITY,
            Double.POSITIVE_INFINITY)
        : context.observations();
  }

  /// Returns a writer for a layout of that [#space].
  static <O extends Observation> ObservationWriter<O> of(
      boolean flat,
      NetworkInput input,
      SpaceLayout layout,
      MemorySegment memory,
      int environments) {
    return flat
        ? flat(MlpFactory.reader(input), (Leaf) layout, memory, environments)
        : of(layout, memory, environments);
  }

  /// Returns a writer for a layout of the observations' own space.
  private static <O extends Observation> ObservationWriter<O> of(
      SpaceLayout layout, MemorySegment memory, int environments) {
    ObservationWriter<Observation> values =
        (environment, observation) -> layout.write(memory, environment, observation.toValue());
    DayRows days = DayRows.of(layout, memory, environments);
    return (environment, observation) -> {
      if (days != null && observation instanceof FullHistoryObservation seen) {
        days.write(environment, seen);
      } else {
        values.write(environment, observation);
      }
    };
  }

  /// Returns a writer of the numbers that an [Mlp] reads.
  private static <O extends Observation> ObservationWriter<O> flat(
      Mlp.Input<O> input, Leaf layout, MemorySegment memory, int environments) {
    float[][] rows = new float[environments][layout.size()];
    return (environment, observation) -> {
      float[] row = rows[environment];
      input.write(observation, row, 0);
      MemorySegment.copy(
          row, 0, memory, ValueLayout.JAVA_FLOAT, layout.at(environment, 0), row.length);
    };
  }

  /// Writes only what has changed since the last observation of an environment: a step adds a few
  /// ticks to the features of a day, which has hundreds.
  final class DayRows implements ObservationWriter<FullHistoryObservation> {
    private final MemorySegment memory;
    private final Leaf today;
    private final Leaf yesterday;
    private final Leaf side;
    private final Leaf tick;
    private final Leaf step;
    private final Leaf steps;
    private final Leaf target;
    private final Leaf remaining;
    private final Leaf history;
    private final @Nullable DayFeatures[] shown;
    private final int[] rows;
    private final float[][] copies;

    private DayRows(SpaceLayout.Dict layout, MemorySegment memory, int environments) {
      this.memory = memory;
      today = leaf(layout, "data_processed");
      yesterday = leaf(layout, "data_processed_prev");
      side = leaf(layout, "acquiring");
      tick = leaf(layout, "cur_tick");
      step = leaf(layout, "cur_step");
      steps = leaf(layout, "num_step");
      target = leaf(layout, "target");
      remaining = leaf(layout, "position");
      history = leaf(layout, "position_history");
      shown = new @Nullable DayFeatures[environments];
      rows = new int[environments];
      copies = new float[environments][today.size()];
    }

    /// Returns null if the layout is not that of a full history.
    static @Nullable DayRows of(SpaceLayout layout, MemorySegment memory, int environments) {
      return layout instanceof SpaceLayout.Dict dict && dict.parts().containsKey("data_processed")
          ? new DayRows(dict, memory, environments)
          : null;
    }

    private static Leaf leaf(SpaceLayout.Dict layout, String name) {
      return (Leaf) Objects.requireNonNull(layout.parts().get(name), name);
    }

    @Override
    public void write(int environment, FullHistoryObservation seen) {
      DayFeatures day = seen.features();
      int visible = seen.visibleTicks();
      if (shown[environment] != day) {
        shown[environment] = day;
        writeYesterday(environment, day);
        writeToday(environment, day, 0, visible);
      } else {
        writeToday(environment, day, Math.min(rows[environment], visible), visible);
      }
      rows[environment] = visible;
      side.write(memory, environment, 0, seen.sideCode());
      tick.write(memory, environment, 0, seen.tick());
      step.write(memory, environment, 0, seen.step());
      steps.write(memory, environment, 0, seen.maxSteps());
      target.write(memory, environment, 0, seen.target());
      remaining.write(memory, environment, 0, seen.remaining());
      for (int past = 0; past < history.size(); past++) {
        history.write(memory, environment, past, seen.remainingAt(past));
      }
    }

    /// Writes ticks from `from` to `visible`; later ones that an earlier episode left become 0.
    private void writeToday(int environment, DayFeatures day, int from, int visible) {
      int width = today.shape().getLast();
      float[] copy = copies[environment];
      if (visible > from) {
        day.copyToday(from, visible - from, copy, 0);
        MemorySegment.copy(
            copy,
            0,
            memory,
            ValueLayout.JAVA_FLOAT,
            today.at(environment, from * width),
            (visible - from) * width);
      }
      if (rows[environment] > visible) {
        long start = today.at(environment, visible * width);
        long end = today.at(environment, rows[environment] * width);
        memory.asSlice(start, end - start).fill((byte) 0);
      }
    }

    private void writeYesterday(int environment, DayFeatures day) {
      int width = yesterday.shape().getLast();
      float[] copy = copies[environment];
      day.copyYesterday(0, day.ticks(), copy, 0);
      int written = day.ticks() * width;
      MemorySegment.copy(
          copy, 0, memory, ValueLayout.JAVA_FLOAT, yesterday.at(environment, 0), written);
      long start = yesterday.at(environment, written);
      long end = yesterday.at(environment, yesterday.size());
      memory.asSlice(start, end - start).fill((byte) 0);
    }
  }
}
