package io.tranche.market.order;

import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.Table;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An order for one trading day: a row of the files that Qlib's order script writes, with the times
/// of its window if it has one.
///
/// @param meanClose the mean close of the bars that the amount was measured on
/// @param times of its window; null for the whole day
public record DayOrder(
    LocalDate date,
    String instrument,
    Side side,
    double amount,
    double meanClose,
    @Nullable Times times) {

  /// The window of an order.
  ///
  /// @param end exclusive
  public record Times(LocalDateTime start, LocalDateTime end) {}

  /// An order over the whole day.
  public DayOrder(LocalDate date, String instrument, Side side, double amount, double meanClose) {
    this(date, instrument, side, amount, meanClose, null);
  }

  /// Returns the order, between its own times or else between two times of its date.
  public Order between(LocalTime start, LocalTime end) {
    Times window = times == null ? new Times(date.atTime(start), date.atTime(end)) : times;
    return new Order(instrument, side, amount, window.start(), window.end());
  }

  /// Returns the columns of Qlib's files: date, instrument, $close0, amount, order_type; and start
  /// and end if the orders have windows.
  public static Table table(List<DayOrder> orders) {
    var columns = new LinkedHashMap<String, Table.Column>();
    columns.put("date", Table.Times.of(orders, order -> BarTime.of(order.date)));
    columns.put("instrument", Table.Texts.of(orders, DayOrder::instrument));
    columns.put("$close0", Table.Numbers.of(orders, DayOrder::meanClose));
    columns.put("amount", Table.Numbers.of(orders, DayOrder::amount));
    columns.put("order_type", Table.Numbers.of(orders, order -> order.side.code()));
    var windows = orders.stream().map(DayOrder::times).filter(Objects::nonNull).toList();
    if (!windows.isEmpty()) {
      if (windows.size() < orders.size()) {
        throw new IllegalArgumentException("orders must all have windows or none");
      }
      columns.put("start", Table.Times.of(windows, window -> BarTime.of(window.start())));
      columns.put("end", Table.Times.of(windows, window -> BarTime.of(window.end())));
    }
    return Table.of(columns);
  }
}
