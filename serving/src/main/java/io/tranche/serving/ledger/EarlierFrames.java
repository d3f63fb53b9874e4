package io.tranche.serving.ledger;

import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DayFrame;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.serving.Request;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.journal.Event;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Converts earlier days into the frames that features read.
public final class EarlierFrames {

  private EarlierFrames() {}

  /// @throws IllegalArgumentException if the days are not in order or their bars do not fit
  public static List<DayFrame> of(
      ServiceConfig config, Event.DayKey day, List<Request.EarlierDay> earlier) {
    if (earlier.isEmpty()) {
      return List.of();
    }
    List<String> fields = null;
    var allTimes = new ArrayList<long[]>();
    LocalDate before = null;
    for (Request.EarlierDay each : earlier) {
      if ((before != null && !each.date().isAfter(before)) || !each.date().isBefore(day.date())) {
        throw new IllegalArgumentException(
            "earlier days of %s must be oldest first, was %s after %s"
                .formatted(day, each.date(), before));
      }
      for (Request.Bar bar : each.bars()) {
        if (fields != null && !fields.equals(bar.fields())) {
          throw new IllegalArgumentException(
              "bars of earlier days of %s must have %s, was %s at %s"
                  .formatted(day, fields, bar.fields(), bar.time()));
        }
        fields = bar.fields();
      }
      var key = new Event.DayKey(day.instrument(), each.date());
      allTimes.add(times(config, key, each.hours(), before));
      before = each.date();
    }
    if (fields == null) {
      throw new IllegalArgumentException(
          "earlier days of %s must have bars, was none".formatted(day));
    }
    return frames(config, day, earlier, allTimes, fields);
  }

  /// Returns the [BarTime] of every tick of a day.
  ///
  /// @param before the trading day before, if `hours` do not say; null for the previous weekday
  /// @throws IllegalArgumentException if the day has fewer ticks, or the day before is not before
  public static long[] times(
      ServiceConfig config, Event.DayKey day, Request.Hours hours, @Nullable LocalDate before) {
    LocalDate known = hours.before() == null ? before : hours.before();
    if (known != null && !known.isBefore(day.date())) {
      throw new IllegalArgumentException(
          "the day before %s must be before it, was %s".formatted(day, known));
    }
    long[] times =
        DecisionRuntime.barTimes(
            config.session(day.instrument()), config.frequency(), day.date(), known);
    Integer ticks = hours.ticks();
    if (ticks == null) {
      return times;
    }
    if (ticks < 1 || ticks > times.length) {
      throw new IllegalArgumentException(
          "ticks of %s must be 1 to %d, was %d".formatted(day, times.length, ticks));
    }
    return Arrays.copyOf(times, ticks);
  }

  private static List<DayFrame> frames(
      ServiceConfig config,
      Event.DayKey day,
      List<Request.EarlierDay> earlier,
      List<long[]> allTimes,
      List<String> fields) {
    long[] times = allTimes.stream().flatMapToLong(Arrays::stream).toArray();
    float[][] columns = new float[fields.size()][times.length];
    for (float[] column : columns) {
      Arrays.fill(column, Float.NaN);
    }
    for (Request.EarlierDay each : earlier) {
      for (Request.Bar bar : each.bars()) {
        int row = Arrays.binarySearch(times, BarTime.of(bar.time()));
        if (row < 0 || !bar.date().equals(each.date())) {
          throw new IllegalArgumentException(
              "bars of earlier days of %s must be at ticks of their day, was %s of %s"
                  .formatted(day, bar.time(), bar.date()));
        }
        for (int column = 0; column < columns.length; column++) {
          columns[column][row] = bar.values().get(column);
        }
      }
    }
    var dates = earlier.stream().map(Request.EarlierDay::date).toList();
    var calendar = Calendar.ofDays(config.frequency(), dates, allTimes);
    var series = BarSeries.wrap(day.instrument(), calendar, 0, fields, columns);
    return dates.stream()
        .map(date -> Objects.requireNonNull(series.day(date), "every day has ticks"))
        .toList();
  }
}
