package io.tranche.market.order;

import io.tranche.market.BarTime;
import io.tranche.market.Session;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The trading days of sessions, as if every weekday were one.
///
/// @param sessions by instrument
record SessionDays(Function<String, Session> sessions) implements TradingDays {

  @Override
  public Day day(String instrument, LocalDate date) {
    Session session = sessions.apply(instrument);
    LocalDate before = date.minusDays(date.getDayOfWeek().getValue() == 1 ? 3 : 1);
    int open = session.segments().getFirst().open();
    long night = BarTime.of(before.plusDays(1));
    long start = (open < session.nightEnd() ? night : BarTime.of(date)) + open;
    long end = BarTime.of(date) + session.closeOf(date);
    return new Day(date, BarTime.dateTime(start), BarTime.dateTime(end));
  }

  @Override
  public @Nullable ZoneId zone(String instrument) {
    return sessions.apply(instrument).zone();
  }
}
