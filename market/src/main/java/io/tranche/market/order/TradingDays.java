package io.tranche.market.order;

import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.Session;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// When the trading days of instruments begin and end: what orders without complete times need.
public interface TradingDays {

  /// The times of one trading day.
  ///
  /// @param start of its first tick; on an earlier date if there is a night session
  /// @param end of its last tick
  record Day(LocalDate date, LocalDateTime start, LocalDateTime end) {

    /// Returns when it is `time` on this trading day.
    LocalDateTime at(LocalTime time) {
      LocalDate evening = start.toLocalDate();
      if (!evening.isBefore(date)) {
        return date.atTime(time);
      }
      if (!time.isBefore(start.toLocalTime())) {
        return evening.atTime(time);
      }
      // A night that is over before the morning; without one, the evening's day goes on.
      return time.isBefore(MORNING) ? evening.plusDays(1).atTime(time) : date.atTime(time);
    }

    /// Returns when the order that starts at `from` ends, if it ends at `time`: midnight may be
    /// that after the day.
    LocalDateTime endAt(LocalTime time, LocalDateTime from) {
      LocalDateTime at = at(time);
      return at.isAfter(from) || !time.equals(LocalTime.MIDNIGHT) ? at : at.plusDays(1);
    }
  }

  LocalTime MORNING = LocalTime.of(6, 0);

  Day day(String instrument, LocalDate date);

  /// Returns the trading day at whose ticks an order that starts then is worked.
  default LocalDate dateOf(String instrument, LocalDateTime start) {
    return start.toLocalDate();
  }

  /// Returns the zone of the exchange's clock; null if it is not known.
  default @Nullable ZoneId zone(String instrument) {
    return null;
  }

  /// Returns days that are the same for all instruments and begin and end on their date.
  static TradingDays between(LocalTime start, LocalTime end) {
    return (_, date) -> new Day(date, date.atTime(start), date.atTime(end));
  }

  /// Returns the days of the bars of each instrument. One without bars lasts as long as its date.
  static TradingDays of(BarSource bars) {
    var calendars = new HashMap<String, Calendar>();
    var zones = new HashMap<String, ZoneId>();
    for (String code : bars.instruments()) {
      calendars.put(code, bars.calendar(code));
      ZoneId zone = bars.zone(code);
      if (zone != null) {
        zones.put(code, zone);
      }
    }
    return new CalendarDays(calendars, zones, null);
  }

  /// Returns the days of one calendar for all instruments.
  static TradingDays of(Calendar calendar) {
    return new CalendarDays(Map.of(), Map.of(), calendar);
  }

  /// Returns the days of each instrument's session, as if trading days were weekdays.
  static TradingDays of(Function<String, Session> sessions) {
    return new SessionDays(sessions);
  }
}
