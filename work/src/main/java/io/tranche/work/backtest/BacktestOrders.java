package io.tranche.work.backtest;

import io.tranche.config.ConfigException;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.OrderSheet;
import io.tranche.market.order.OrderSheet.Row;
import io.tranche.market.store.QlibStore;
import io.tranche.work.backtest.BacktestPlan.OrderChoice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The orders of a backtest, each with its row in the file.
///
/// @param byInstrument in the order of the file
/// @param bad invalid rows, which are left out
record BacktestOrders(SortedMap<String, List<Entry>> byInstrument, List<Row> bad) {

  /// How many invalid rows a message names.
  private static final int SHOWN = 5;

  /// @param row in the file, from 1
  record Entry(int row, Order order) {}

  /// Reads the orders of a file.
  ///
  /// @throws ConfigException if no file is named
  /// @throws DataException if a row is invalid and `skipsBad` is false
  static BacktestOrders read(OrderChoice choice, QlibStore store, boolean skipsBad) {
    Path file = choice.file();
    if (file == null) {
      throw new ConfigException(choice.where(), "a value", "missing");
    }
    List<Row> rows = OrderSheet.read(file, choice.start(), choice.end());
    var known = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    store.instruments().forEach(code -> known.put(code, code));
    var bad = new ArrayList<Row>();
    var good = new TreeMap<String, List<Entry>>();
    for (Row row : rows) {
      Row checked = checked(row, file, known, store.calendar());
      Order order = checked.order();
      if (checked.fault() != null || order == null) {
        bad.add(checked);
      } else if (choice.wants(order)) {
        good.computeIfAbsent(order.instrument(), _ -> new ArrayList<>())
            .add(new Entry(row.number(), times(choice.multiplier(), order)));
      }
    }
    if (!bad.isEmpty() && !skipsBad) {
      throw refusal(file, bad, rows.size());
    }
    if (good.isEmpty()) {
      throw new DataException(file.toString(), "an order to run", "none");
    }
    return new BacktestOrders(good, bad);
  }

  private static DataException refusal(Path file, List<Row> bad, int rows) {
    String shown =
        bad.stream().limit(SHOWN).map(Row::fault).collect(Collectors.joining("; "))
            + (bad.size() > SHOWN ? "; ..." : "");
    return new DataException(
        file.toString(),
        "orders that can be run (--skip-bad leaves the others out)",
        "%d of %d rows that cannot: %s".formatted(bad.size(), rows, shown));
  }

  private static Row checked(
      Row row, Path file, SortedMap<String, String> known, Calendar calendar) {
    Order order = row.order();
    if (order == null) {
      return row;
    }
    String code = known.get(order.instrument());
    if (code == null) {
      return row.wrong(file, "an instrument of the store", order.instrument());
    }
    if (calendar.dayOf(order.date()) < 0) {
      return row.wrong(
          file,
          "a trading day of the calendar, %s to %s"
              .formatted(calendar.date(0), calendar.date(calendar.days() - 1)),
          order.date());
    }
    // The folders of a store are in lower case, so Qlib finds codes in any case.
    return code.equals(order.instrument()) ? row : row.of(code);
  }

  private static Order times(double multiplier, Order order) {
    return multiplier == 1
        ? order
        : new Order(
            order.instrument(),
            order.side(),
            order.amount() * multiplier,
            order.start(),
            order.end());
  }

  int size() {
    return byInstrument.values().stream().mapToInt(List::size).sum();
  }
}
