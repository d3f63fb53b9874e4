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
    long[] dates = new long[orders.size()];
    var instruments = new String[orders.size()];
    double[] closes = new double[orders.size()];
    double[] amounts = new double[orders.size()];
    double[] types = new double[orders.size()];
    for (int i = 0; i < orders.size(); i++) {
      DayOrder order = orders.get(i);
      dates[i] = BarTime.of(order.date);
      instruments[i] = order.instrument;
      closes[i] = order.meanClose;
      amounts[i] = order.amount;
      types[i] = order.side.code();
    }
    var columns = new LinkedHashMap<String, Table.Column>();
    columns.put("date", new Table.Times(dates));
    columns.put("instrument", Table.Texts.of(instruments));
    columns.put("$close0", new Table.Numbers(closes));
    columns.put("amount", new Table.Numbers(amounts));
    columns.put("order_type", new Table.Numbers(types));
    return Table.of(columns);
  }
}
