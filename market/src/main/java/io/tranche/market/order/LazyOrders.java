package io.tranche.market.order;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Table;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureSource;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Orders whose times are ticks of the day, made on demand. Qlib: `LazyLoadDataset`.
///
/// As in Qlib, the ticks are read once, for the stock and day of the first order, and used for all
/// orders; and an order ends one minute after the start of its last tick, for any bar width. Safe
/// to use from several threads.
public final class LazyOrders {

  /// Gives the [BarTime]s of a day's ticks.
  @FunctionalInterface
  public interface Ticks {

    /// @throws DataException if there are no data of the instrument
    long[] of(String instrument, LocalDate date);
  }

  private record Row(TableRows columns, String date, String side, int row) {}

  private final List<Row> rows = new ArrayList<>();
  private final Ticks ticks;
  private final int startIndex;
  private final int endIndex;
  private long @Nullable [] secondsOfDay;

  /// @param startIndex the tick that orders start at
  /// @param endIndex the tick after the last one of an order
  private LazyOrders(Ticks ticks, int startIndex, int endIndex) {
    if (startIndex < 0 || endIndex <= 0) {
      throw new IllegalArgumentException(
          "startIndex must not be negative and endIndex positive, was %d and %d"
              .formatted(startIndex, endIndex));
    }
    this.ticks = ticks;
    this.startIndex = startIndex;
    this.endIndex = endIndex;
  }

  /// Returns the ticks of the days that a source has.
  public static Ticks ticksOf(FeatureSource source) {
    return (instrument, date) -> {
      DayFeatures day = source.day(instrument, date);
      return IntStream.range(0, day.ticks()).mapToLong(day::time).toArray();
    };
  }

  /// Opens an order file, or every file of a folder, with the ticks of any source.
  public static LazyOrders open(Path orders, Ticks ticks, int startIndex, int endIndex) {
    var lazy = new LazyOrders(ticks, startIndex, endIndex);
    for (Path file : OrderFiles.files(orders)) {
      lazy.add(file.toString(), OrderFiles.table(file));
    }
    return lazy;
  }

  /// Makes orders from a table with the columns `date` or `datetime`, `instrument`, `amount`, and
  /// `order_type`, `direction` or `side`.
  public static LazyOrders of(String file, Table table, Ticks ticks, int startIndex, int endIndex) {
    var lazy = new LazyOrders(ticks, startIndex, endIndex);
    lazy.add(file, table);
    return lazy;
  }

  private void add(String file, Table table) {
    var columns = new TableRows(file, table);
    String date = columns.only(List.of("date", "datetime"));
    String side = columns.only(List.of("order_type", "direction", "side"));
    columns.only(List.of("instrument"));
    columns.only(List.of("amount"));
    if (columns.has("start") || columns.has("end")) {
      throw new DataException(
          file,
          "orders without times (default_start_time_index and default_end_time_index give them"
              + " theirs)",
          "the columns " + table.names());
    }
    for (int row = 0; row < table.rows(); row++) {
      rows.add(new Row(columns, date, side, row));
    }
  }

  public int size() {
    return rows.size();
  }

  /// @throws DataException if the row is not an order, or the day has too few ticks
  public Order order(int index) {
    Row found = rows.get(index);
    TableRows columns = found.columns();
    int row = found.row();
    LocalDateTime date = columns.time(found.date(), row);
    String instrument = columns.text("instrument", row);
    long[] seconds = secondsOfDay(instrument, date);
    if (startIndex >= seconds.length || endIndex > seconds.length) {
      throw new DataException(
          "%s, %s".formatted(instrument, date.toLocalDate()),
          "at least %d ticks".formatted(Math.max(startIndex + 1, endIndex)),
          seconds.length);
    }
    return columns.order(
        row,
        instrument,
        columns.qlibSide(found.side(), row),
        columns.number("amount", row),
        date.plusSeconds(seconds[startIndex]),
        date.plusSeconds(seconds[endIndex - 1] + 60));
  }

  private synchronized long[] secondsOfDay(String instrument, LocalDateTime date) {
    if (secondsOfDay == null) {
      long[] times = ticks.of(instrument, date.toLocalDate());
      secondsOfDay = new long[times.length];
      for (int i = 0; i < times.length; i++) {
        secondsOfDay[i] = times[i] - BarTime.of(date);
      }
    }
    return secondsOfDay;
  }
}
