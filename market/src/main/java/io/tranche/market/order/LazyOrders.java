package io.tranche.market.order;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Table;
import io.tranche.market.pickle.HandlerPickle;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
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

  private record Row(TableRows columns, int row) {}

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

  /// Opens order files whose ticks are those of Qlib's handler pickles `backtest/<stock>.pkl`.
  public static LazyOrders open(Path dataFolder, Path orders, int startIndex, int endIndex) {
    return open(orders, handlerTicks(dataFolder), startIndex, endIndex);
  }

  /// Opens an order file, or every file of a folder, with the ticks of any source.
  public static LazyOrders open(Path orders, Ticks ticks, int startIndex, int endIndex) {
    var lazy = new LazyOrders(ticks, startIndex, endIndex);
    for (Path file : OrderFiles.files(orders)) {
      lazy.add(file.toString(), OrderFiles.table(file));
    }
    return lazy;
  }

  /// Makes orders from a table with the columns date, instrument, amount and order_type.
  public static LazyOrders of(String file, Table table, Ticks ticks, int startIndex, int endIndex) {
    var lazy = new LazyOrders(ticks, startIndex, endIndex);
    lazy.add(file, table);
    return lazy;
  }

  private void add(String file, Table table) {
    var columns = new TableRows(file, table);
    for (String name : List.of("date", "instrument", "amount", "order_type")) {
      columns.only(List.of(name));
    }
    for (int row = 0; row < table.rows(); row++) {
      rows.add(new Row(columns, row));
    }
  }

  public int size() {
    return rows.size();
  }

  /// @throws DataException if the row is not an order, or the day has too few ticks
  public Order order(int index) {
    TableRows columns = rows.get(index).columns();
    int row = rows.get(index).row();
    LocalDateTime date = columns.time("date", row);
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
        columns.qlibSide("order_type", row),
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

  private static Ticks handlerTicks(Path dataFolder) {
    return (instrument, date) -> {
      Path file = dataFolder.resolve("backtest").resolve(instrument + ".pkl");
      Table frame = HandlerPickle.read(file).frame();
      long from = BarTime.of(date);
      var times = new ArrayList<Long>();
      for (int row = 0; row < frame.rows(); row++) {
        long time = frame.time("datetime", row);
        if (time >= from && time < from + BarTime.SECONDS_A_DAY) {
          times.add(time);
        }
      }
      return times.stream().mapToLong(Long::longValue).toArray();
    };
  }
}
