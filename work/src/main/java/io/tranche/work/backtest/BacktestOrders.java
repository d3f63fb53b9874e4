package io.tranche.work.backtest;

import io.tranche.config.ConfigNode;
import io.tranche.execution.catalog.BacktestSettings;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.OrderSheet;
import io.tranche.market.order.OrderSheet.Row;
import io.tranche.market.store.QlibStore;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The orders of a backtest, each with its row in the file.
///
/// @param byInstrument in the order of the file
/// @param bad invalid rows, which are left out
record BacktestOrders(SortedMap<String, List<Entry>> byInstrument, List<Row> bad) {

  /// How many invalid rows a message names.
  private static final int SHOWN = 5;

  /// @param row in the file, from 1
  record Entry(int row, Order order) {}

  /// Reads the orders that a configuration asks for.
  ///
  /// @throws DataException if a row is invalid and `skipsBad` is false
  static BacktestOrders read(ConfigNode filled, QlibStore store, boolean skipsBad) {
    Path file = filled.required("order_file").asPath(Path.of(""));
    List<Row> rows =
        OrderSheet.read(
            file,
            BacktestSettings.time(filled, "start_time"),
            BacktestSettings.time(filled, "end_time"));
    double multiplier = filled.numberInOr("multiplier", 1, Double.MIN_NORMAL, Double.MAX_VALUE);
    ConfigNode only = filled.optional("debug_single_stock");
    String instrument = only == null ? null : only.asText();
    LocalDate day = day(filled.optional("debug_single_day"));
    var known = new HashSet<>(store.instruments());
    var bad = new ArrayList<Row>();
    var good = new TreeMap<String, List<Entry>>();
    for (Row row : rows) {
      Row checked = checked(row, file, known, store.calendar());
      Order order = checked.order();
      if (checked.fault() != null || order == null) {
        bad.add(checked);
      } else if ((instrument == null || order.instrument().equals(instrument))
          && (day == null || order.date().equals(day))) {
        good.computeIfAbsent(order.instrument(), _ -> new ArrayList<>())
            .add(new Entry(row.number(), times(multiplier, order)));
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

  /// Takes orders that are not in a file.
  ///
  /// @throws DataException if the store does not have the instrument or the day of an order
  static BacktestOrders of(List<Order> orders, QlibStore store) {
    Path place = Path.of("orders");
    var known = new HashSet<>(store.instruments());
    var all = new TreeMap<String, List<Entry>>();
    for (int i = 0; i < orders.size(); i++) {
      Row row = checked(new Row(i + 1, orders.get(i), null), place, known, store.calendar());
      if (row.fault() != null) {
        throw refusal(place, List.of(row), orders.size());
      }
      all.computeIfAbsent(orders.get(i).instrument(), _ -> new ArrayList<>())
          .add(new Entry(row.number(), orders.get(i)));
    }
    return new BacktestOrders(all, List.of());
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

  private static Row checked(Row row, Path file, Set<String> known, Calendar calendar) {
    Order order = row.order();
    if (order == null) {
      return row;
    }
    if (!known.contains(order.instrument())) {
      return row.wrong(file, "an instrument of the store", order.instrument());
    }
    if (calendar.dayOf(order.date()) < 0) {
      return row.wrong(
          file,
          "a trading day of the calendar, %s to %s"
              .formatted(calendar.date(0), calendar.date(calendar.days() - 1)),
          order.date());
    }
    return row;
  }

  private static @Nullable LocalDate day(@Nullable ConfigNode node) {
    if (node == null) {
      return null;
    }
    try {
      return LocalDate.parse(node.asText());
    } catch (DateTimeParseException e) {
      throw node.wrong("a date such as 2021-03-02");
    }
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
