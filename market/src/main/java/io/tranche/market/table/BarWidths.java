package io.tranche.market.table;

import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Finds the bar width of a set of series from the distances between their bars, and bars that do
/// not fit it.
public final class BarWidths {

  // A day needs this many bars before its spacing says anything about the width.
  private static final int TELLING = 8;

  private final Map<Long, Long> counts = new TreeMap<>();
  private long lastSpacing;
  private long lastCount;
  private boolean midnights = true;

  /// Counts the distances between the increasing times that `instruments` share.
  public void add(long[] times, int length, int instruments) {
    for (int i = 0; i < length; i++) {
      midnights = midnights && times[i] % BarTime.SECONDS_A_DAY == 0;
      if (i > 0) {
        long spacing = times[i] - times[i - 1];
        if (spacing != lastSpacing) {
          settle();
          lastSpacing = spacing;
        }
        lastCount += instruments;
      }
    }
  }

  private void settle() {
    if (lastCount > 0) {
      counts.merge(lastSpacing, lastCount, Long::sum);
      lastCount = 0;
    }
  }

  /// Returns the most common distance, at most a day; null if there are no two bars and times of
  /// day.
  public @Nullable Frequency mostCommon() {
    settle();
    long width = 0;
    long most = 0;
    for (var entry : counts.entrySet()) {
      if (entry.getValue() > most) {
        most = entry.getValue();
        width = entry.getKey();
      }
    }
    if (width == 0) {
      return midnights ? Frequency.DAY : null;
    }
    return new Frequency((int) Math.min(width, BarTime.SECONDS_A_DAY));
  }

  /// Returns the first bar of an instrument that does not fit the width, or -1.
  ///
  /// A bar does not fit if it is closer to the previous bar than the width (except an opening
  /// auction), or if most of its day is spaced more widely.
  public static int firstMisfit(long[] times, int length, Frequency width) {
    int seconds = width.seconds();
    int from = 0;
    int daily = 0;
    while (from < length) {
      long nextDay =
          Math.floorDiv(times[from], BarTime.SECONDS_A_DAY) * BarTime.SECONDS_A_DAY
              + BarTime.SECONDS_A_DAY;
      int to = from + 1;
      while (to < length && times[to] < nextDay) {
        boolean auction = to == from + 1 && !width.isDay();
        if (times[to] - times[to - 1] < seconds && !auction) {
          return to;
        }
        to++;
      }
      if (to - from > TELLING && isWider(times, from, to, seconds)) {
        return from + 1;
      }
      daily += to - from == 1 && times[from] + BarTime.SECONDS_A_DAY == nextDay ? 1 : 0;
      from = to;
    }
    return daily == length && length >= TELLING && !width.isDay() ? 0 : -1;
  }

  /// Whether at least three quarters of a day's distances are the same and not the width.
  private static boolean isWider(long[] times, int from, int to, int seconds) {
    long candidate = 0;
    int votes = 0;
    for (int i = from + 1; i < to; i++) { // whatever has the majority is the candidate at the end
      long spacing = times[i] - times[i - 1];
      if (votes == 0) {
        candidate = spacing;
      }
      votes += spacing == candidate ? 1 : -1;
    }
    if (candidate == seconds) {
      return false;
    }
    int count = 0;
    for (int i = from + 1; i < to; i++) {
      count += times[i] - times[i - 1] == candidate ? 1 : 0;
    }
    return 4 * count >= 3 * (to - from - 1);
  }
}
