package io.tranche.run;

import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import java.time.LocalTime;

/// The first trading day, which stands for all.
record DayShape(Calendar calendar) {

  int ticks() {
    return calendar.dayEnd(0) - calendar.dayStart(0);
  }

  int minutesPerTick() {
    return Math.max(1, calendar.frequency().seconds() / 60);
  }

  LocalTime start() {
    return time(calendar.time(calendar.dayStart(0)));
  }

  LocalTime end() {
    long last = calendar.time(calendar.dayEnd(0) - 1);
    return time(last + calendar.frequency().seconds());
  }

  private static LocalTime time(long seconds) {
    return LocalTime.ofSecondOfDay(BarTime.secondOfDay(seconds));
  }
}
