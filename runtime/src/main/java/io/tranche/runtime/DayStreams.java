package io.tranche.runtime;

import io.tranche.market.Side;
import io.tranche.market.feature.Mirror;
import io.tranche.policy.network.LiveNetwork;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The members' encodings of a day so far: of the day as it is and, if buys are shown as sells, of
/// the mirrored day. Each begins when it is first asked for. Hot path: [#append] allocates nothing.
final class DayStreams {

  private final DecisionRuntime runtime;
  private final @Nullable Mirror mirror;
  private final float[] yesterday;
  private final int allTicks;
  private final int width;
  private final float[] turned;
  private @Nullable List<LiveNetwork.Day> upright;
  private @Nullable List<LiveNetwork.Day> mirrored;

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
      append(upright, rows, at);
    }
    if (mirrored != null && mirror != null) {
      appendTurned(mirrored, mirror, rows, at);
    }
  }

  private static void append(List<LiveNetwork.Day> streams, float[] data, int at) {
    for (int i = 0; i < streams.size(); i++) {
      streams.get(i).append(data, at);
    }
  }

  private void appendTurned(List<LiveNetwork.Day> streams, Mirror turning, float[] rows, int at) {
    turning.turnToday(rows, at, turned, 0);
    append(streams, turned, 0);
  }

  /// Returns the encodings that orders of `side` read.
  ///
  /// @param rows the features of the first `ticks` ticks
  List<LiveNetwork.Day> of(Side side, float[] rows, int ticks) {
    return mirror == null || side == Side.SELL
        ? upright(rows, ticks)
        : mirrored(mirror, rows, ticks);
  }

  /// Whether `side` has its own encodings.
  boolean has(Side side) {
    return (side == Side.SELL ? upright : mirrored) != null;
  }

  private List<LiveNetwork.Day> upright(float[] rows, int ticks) {
    List<LiveNetwork.Day> streams = upright;
    if (streams == null) {
      streams = runtime.ensemble().newDays(yesterday, allTicks);
      for (int tick = 0; tick < ticks; tick++) {
        append(streams, rows, tick * width);
      }
      upright = streams;
    }
    return streams;
  }

  private List<LiveNetwork.Day> mirrored(Mirror turning, float[] rows, int ticks) {
    List<LiveNetwork.Day> streams = mirrored;
    if (streams == null) {
      streams = runtime.ensemble().newDays(turning.turnYesterday(yesterday), allTicks);
      for (int tick = 0; tick < ticks; tick++) {
        appendTurned(streams, turning, rows, tick * width);
      }
      mirrored = streams;
    }
    return streams;
  }
}
