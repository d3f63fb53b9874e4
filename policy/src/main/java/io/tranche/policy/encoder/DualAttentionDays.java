package io.tranche.policy.encoder;

import io.tranche.market.DataException;
import io.tranche.tensor.Attention;
import io.tranche.tensor.Rows;

/// [DualAttentionEncoder] over live days: today's keys and values grow with the day, yesterday's
/// exist from the start. The result at the current end of a day is computed once and serves all
/// queries until the next tick.
final class DualAttentionDays implements DayEncoder.LiveDays {

  private final DualAttentionEncoder encoder;
  private final int hidden;
  private final CausalEncoder.Streams today;
  private final CausalEncoder.Streams yesterday;
  private final float[] zeros;

  /// The query, or the input of a key.
  private final Rows one;

  DualAttentionDays(DualAttentionEncoder encoder) {
    this.encoder = encoder;
    this.hidden = encoder.hidden();
    this.today = encoder.today().newStreams();
    this.yesterday = encoder.yesterday().newStreams();
    this.zeros = new float[Math.max(encoder.today().inputs(), encoder.yesterday().inputs())];
    this.one = Rows.zeros(1, hidden);
  }

  @Override
  public DayEncoder.LiveDay begin(float[] features, int ticks) {
    int width = encoder.yesterday().inputs();
    if (features.length != (long) ticks * width) {
      throw new DataException(
          "yesterday", "%d ticks x %d features".formatted(ticks, width), features.length);
    }
    var day = new Day(ticks + 1);
    CausalEncoder.Stream stream = yesterday.begin(ticks + 1);
    remember(stream, zeros, 0, day.yesterdayKeys);
    for (int tick = 0; tick < ticks; tick++) {
      remember(stream, features, tick * width, day.yesterdayKeys);
    }
    day.append(zeros, 0);
    return day;
  }

  private void remember(
      CausalEncoder.Stream stream, float[] data, int at, Attention.Memory memory) {
    stream.append(data, at);
    stream.copyOutput(one.data(), 0);
    memory.add(one, one);
  }

  private final class Day implements DayEncoder.LiveDay {
    private final CausalEncoder.Stream stream;
    private final Attention.Memory todayKeys;
    private final Attention.Memory yesterdayKeys;
    private final float[] given = new float[encoder.width()];
    private boolean isRead;

    Day(int steps) {
      stream = today.begin(steps);
      todayKeys = encoder.overToday().newMemory(steps);
      yesterdayKeys = encoder.overYesterday().newMemory(steps);
    }

    @Override
    public void append(float[] data, int at) {
      remember(stream, data, at, todayKeys);
      isRead = false;
    }

    @Override
    public void read(float[] target, int at) {
      if (!isRead) {
        stream.copyOutput(one.data(), 0);
        System.arraycopy(one.data(), 0, given, 0, hidden);
        System.arraycopy(todayKeys.attend(one).data(), 0, given, hidden, hidden);
        System.arraycopy(yesterdayKeys.attend(one).data(), 0, given, 2 * hidden, hidden);
        isRead = true;
      }
      System.arraycopy(given, 0, target, at, given.length);
    }
  }
}
