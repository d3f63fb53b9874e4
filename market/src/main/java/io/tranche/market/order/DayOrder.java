package io.tranche.market.order;

import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.Table;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.LinkedHashMap;
import java.util.List;

/// An order for one trading day that has no times yet: a row of the files that Qlib's order script
/// writes.
///
/// @param meanClose the mean close of the bars that the amount was measured on
public record DayOrder(
    LocalDate date, String instrument, Side side, double amount, double meanClose) {

  /// Returns the order to be executed between two times of its date.
  public Order between(LocalTime start, LocalTime end) {
    return new Order(instrument, side, amount, date.atTime(start), date.atTime(end));
  }

  /// Returns the columns of Qlib's files: date, instrument, $close0, amount, order_type.
  public static Table table(List<DayOrder> orders) {
    var columns = new LinkedHashMap<String, Table.Column>();
    columns.put("date", Table.Times.of(orders, order -> BarTime.of(order.date)));
    columns.put("instrument", Table.Texts.of(orders, DayOrder::instrument));
    columns.put("$close0", Table.Numbers.of(orders, DayOrder::meanClose));
    columns.put("amount", Table.Numbers.of(orders, DayOrder::amount));
    columns.put("order_type", Table.Numbers.of(orders, order -> order.side.code()));
    return Table.of(columns);
  }
}
