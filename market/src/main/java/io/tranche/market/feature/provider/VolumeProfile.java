package io.tranche.market.feature.provider;

import io.tranche.market.BarTime;
import io.tranche.market.DayFrame;
import java.util.List;

/// How much of a usual day's volume has traded so far, and how much usually has by that time.
///
/// `$volume_done` is the volume up to this tick over the mean day volume of the earlier days;
/// `$volume_due` the mean, over those days, of the share of the day that had traded by this time of
/// day. A missing bar traded nothing. Both are NaN where no earlier day traded.
///
/// @param days earlier days to average; those without any volume are left out
public record VolumeProfile(int days) implements StreamedProvider {

  public VolumeProfile {
    if (days < 1) {
      throw new IllegalArgumentException("days must be positive, was " + days);
    }
  }

  /// Ten earlier days.
  public VolumeProfile() {
    this(10);
  }

  @Override
  public String name() {
    return "volume_profile";
  }

  @Override
  public List<String> columns() {
    return List.of("$volume_done", "$volume_due");
  }

  @Override
  public List<String> fields() {
    return List.of("volume");
  }

  @Override
  public int earlierDays() {
    return days;
  }

  @Override
  public FeatureStream stream(DayFrame day, List<DayFrame> earlier) {
    return new Shares(day, earlier);
  }

  private static final class Shares implements FeatureStream {

    private final DayFrame day;
    private final int volumes;
    private final double[] due;
    private double usual;
    private int traded;
    private double done;

    Shares(DayFrame day, List<DayFrame> earlier) {
      this.day = day;
      this.volumes = day.fieldIndex("volume");
      this.due = new double[day.ticks()];
      for (DayFrame past : earlier) {
        double total = total(past, volumes);
        if (total > 0) {
          addShares(past, volumes, total, day, due);
          usual += total;
          traded++;
        }
      }
    }

    @Override
    public void next(int tick, float[] target, int at) {
      done += volume(day, volumes, tick);
      target[at] = (float) (traded == 0 ? Double.NaN : done * traded / usual);
      target[at + 1] = (float) (due[tick] / traded); // NaN if none traded
    }
  }

  /// Adds to `due` the share of `past` that had traded by each tick of `day`. Days are matched by
  /// time of day, since one of them may lack bars.
  private static void addShares(
      DayFrame past, int volumes, double total, DayFrame day, double[] due) {
    double done = 0;
    int next = 0;
    for (int tick = 0; tick < due.length; tick++) {
      long timeOfDay = timeOfDay(day, tick);
      while (next < past.ticks() && timeOfDay(past, next) <= timeOfDay) {
        done += volume(past, volumes, next++);
      }
      due[tick] += done / total;
    }
  }

  /// Returns seconds from the trading day's midnight. A night session counts as that of the evening
  /// before, also where it was days before: Monday's opens on Friday.
  private static long timeOfDay(DayFrame day, int tick) {
    long time = day.time(tick) - BarTime.of(day.date());
    if (time >= -BarTime.SECONDS_A_DAY) {
      return time;
    }
    long second = Math.floorMod(time, (long) BarTime.SECONDS_A_DAY);
    return second < BarTime.SECONDS_A_DAY / 2 ? second : second - BarTime.SECONDS_A_DAY;
  }

  private static double total(DayFrame day, int volumes) {
    double total = 0;
    for (int tick = 0; tick < day.ticks(); tick++) {
      total += volume(day, volumes, tick);
    }
    return total;
  }

  private static double volume(DayFrame day, int volumes, int tick) {
    float volume = day.value(volumes, tick);
    return volume > 0 ? volume : 0;
  }
}
