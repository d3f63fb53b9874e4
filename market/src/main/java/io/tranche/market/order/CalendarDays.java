package io.tranche.market.order;

import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The trading days of calendars.
///
/// @param calendars by instrument
/// @param zones of the exchanges' clocks by instrument, as far as they are known
/// @param others the calendar of other instruments; null if they have none
record CalendarDays(
    Map<String, Calendar> calendars, Map<String, ZoneId> zones, @Nullable Calendar others)
    implements TradingDays {

  private static final LocalTime LAST_SECOND = LocalTime.of(23, 59, 59);

  CalendarDays {
    calendars = Map.copyOf(calendars);
    zones = Map.copyOf(zones);
  }

  @Override
  public Day day(String instrument, LocalDate date) {
    Calendar calendar = calendars.getOrDefault(instrument, others);
    int day = calendar == null ? -1 : calendar.dayOf(date);
    if (calendar == null || day < 0) { // whoever looks for the order's bars says that it has none
      return new Day(date, date.atStartOfDay(), date.atTime(LAST_SECOND));
    }
    long last = calendar.time(calendar.dayEnd(day) - 1);
    return new Day(
        date,
        BarTime.dateTime(calendar.time(calendar.dayStart(day))),
        BarTime.dateTime(last + calendar.frequency().seconds()));
  }

  @Override
  public @Nullable ZoneId zone(String instrument) {
    return zones.get(instrument);
  }

  @Override
  public LocalDate dateOf(String instrument, LocalDateTime start) {
    Calendar calendar = calendars.getOrDefault(instrument, others);
    int bar = calendar == null ? -1 : calendar.ceiling(BarTime.of(start));
    return calendar == null || bar == calendar.size()
        ? start.toLocalDate()
        : calendar.date(calendar.dayOfBar(bar));
  }
}
