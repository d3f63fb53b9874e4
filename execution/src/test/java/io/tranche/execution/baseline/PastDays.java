package io.tranche.execution.baseline;

import io.tranche.execution.Episodes;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import java.util.List;

/// Days of one-minute volumes that end with the day of [Episodes].
record PastDays(Calendar calendar, BarSeries only) implements BarSource {

  /// @param volumes one array a day, the last that of the order's day
  static PastDays of(float[]... volumes) {
    int ticks = volumes[0].length;
    long[] times = new long[volumes.length * ticks];
    float[] column = new float[times.length];
    for (int day = 0; day < volumes.length; day++) {
      long open = Episodes.OPEN - (long) BarTime.SECONDS_A_DAY * (volumes.length - 1 - day);
      for (int tick = 0; tick < ticks; tick++) {
        times[day * ticks + tick] = open + 60L * tick;
        column[day * ticks + tick] = volumes[day][tick];
      }
    }
    Calendar calendar = Calendar.of(Frequency.MINUTE, times);
    return new PastDays(
        calendar,
        BarSeries.wrap("SH600000", calendar, 0, List.of("volume"), new float[][] {column}));
  }

  @Override
  public List<String> instruments() {
    return List.of("SH600000");
  }

  @Override
  public List<String> fields() {
    return List.of("volume");
  }

  @Override
  public BarSeries series(String instrument) {
    return only;
  }
}
