package io.tranche.runtime;

import io.tranche.market.Side;
import io.tranche.market.feature.Mirror;
import io.tranche.policy.network.LiveNetwork.Day;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The members' encodings of a day so far: of the day as it is and, if buys are shown as sells, of
/// the mirrored day. Each begins on first use. Hot path: [#append] allocates nothing.
final class DayStreams {

  private final DecisionRuntime runtime;
  private final @Nullable Mirror mirror;
  private final float[] yesterday;
  private final int allTicks;
  private final int width;
  private final float[] turned;
  private @Nullable List<Day> upright;
  private @Nullable List<Day> mirrored;

  DayStreams(DecisionRuntime runtime, float[] yesterday, int allTicks) {
    this.runtime = runtime;
    this.mirror = runtime.model().mirror();
    this.yesterday = yesterday;
    this.allTicks = allTicks;
    this.width = runtime.model().spec().features().columns().today().size();
    this.turned = new float[width];
  }

  /// Takes the features of the next tick, from `at` on in `rows`.
  void append(float[] rows, int at) {
    if (upright != null) {
      append(upright, null, rows, at);
    }
    if (mirrored != null) {
      append(mirrored, mirror, rows, at);
    }
  }

  private void append(List<Day> streams, @Nullable Mirror turning, float[] rows, int at) {
    if (turning != null) {
      turning.turnToday(rows, at, turned, 0);
    }
    for (int i = 0; i < streams.size(); i++) {
      streams.get(i).append(turning == null ? rows : turned, turning == null ? at : 0);
    }
  }

  /// Returns the encodings that orders of `side` read.
  ///
  /// @param rows the features of the first `ticks` ticks
  List<Day> of(Side side, float[] rows, int ticks) {
    if (mirror == null || side == Side.SELL) {
      List<Day> streams = upright == null ? begin(null, rows, ticks) : upright;
      upright = streams;
      return streams;
    }
    List<Day> streams = mirrored == null ? begin(mirror, rows, ticks) : mirrored;
    mirrored = streams;
    return streams;
  }

  private List<Day> begin(@Nullable Mirror turning, float[] rows, int ticks) {
    float[] before = turning == null ? yesterday : turning.turnYesterday(yesterday);
    List<Day> streams = runtime.ensemble().newDays(before, allTicks);
    for (int tick = 0; tick < ticks; tick++) {
      append(streams, turning, rows, tick * width);
    }
    return streams;
  }

  /// Whether `side` has its own encodings.
  boolean has(Side side) {
    return (side == Side.SELL ? upright : mirrored) != null;
  }
}
