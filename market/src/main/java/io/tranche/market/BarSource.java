package io.tranche.market;

import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Bars of many instruments, from any format.
///
/// Safe to use from several threads. `series` may read a file on each call, so callers keep the
/// result if they need it again.
public interface BarSource extends AutoCloseable {

  /// Returns the times of all instruments, for dates and the bar width. A series is indexed by its
  /// own calendar, [BarSeries#calendar], which may be another one.
  Calendar calendar();

  /// Returns the calendar of the series of `instrument`.
  ///
  /// @throws DataException if the source has no such instrument
  default Calendar calendar(String instrument) {
    return calendar();
  }

  /// Returns the trading hours of `instrument` as the source knows them; null if it does not.
  default @Nullable Session session(String instrument) {
    return null;
  }

  /// Returns the zone of the exchange's clock if it was stated or recorded; null if not.
  default @Nullable ZoneId zone(String instrument) {
    Session session = session(instrument);
    return session == null ? null : session.zone();
  }

  /// Whether its times are seconds of UTC, because the source had a zone or an offset with them,
  /// and must be converted to those of the exchange.
  default boolean hasInstants() {
    return false;
  }

  /// Whether instruments should be read one after the other in the order of [#instruments], because
  /// going back means to read everything again.
  default boolean isSequential() {
    return false;
  }

  /// Returns the codes in the order of the source.
  List<String> instruments();

  /// Returns the fields that at least one instrument has, without dollar sign, in lower case.
  List<String> fields();

  /// Returns all bars of `instrument`, in the fields of [#fields].
  ///
  /// @throws DataException if the source has no such instrument or its data are damaged
  BarSeries series(String instrument);

  /// Returns one day of one instrument, or null if it has none.
  default @Nullable DayFrame day(String instrument, LocalDate date) {
    return series(instrument).day(date);
  }

  /// Returns this source with every series changed. Closing it closes this one.
  ///
  /// @param fields of the changed series
  /// @param change keeps calendar and days
  default BarSource changed(List<String> fields, UnaryOperator<BarSeries> change) {
    return new ChangedSource(this, fields, change);
  }

  @Override
  default void close() {}
}
