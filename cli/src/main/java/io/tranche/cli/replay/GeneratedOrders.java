package io.tranche.cli.replay;

import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.order.OrderGenerator;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Draws orders for a replay: sides and sizes as [OrderGenerator] draws them, each for a whole day.
///
/// @param seed the seed of all draws
/// @param aDay how many orders; 0 for one per instrument
/// @param days how many of the last days have orders
public record GeneratedOrders(long seed, int aDay, int days) {

  /// @param where where the bars come from, for errors
  /// @param instruments which ones
  /// @throws DataException if there is nothing to trade
  public List<NamedOrder> of(
      String where, BarSource bars, List<String> instruments, LocalTime start, LocalTime end) {
    int rounds = Math.max(1, Math.ceilDiv(aDay, Math.max(1, instruments.size())));
    NavigableMap<LocalDate, List<DayOrder>> drawn = new TreeMap<>();
    for (int round = 0; round < rounds; round++) {
      OrderGenerator generator = OrderGenerator.DEFAULT.withSeed(seed + round);
      for (String instrument : instruments) {
        for (DayOrder order : generator.generate(bars, instrument)) {
          drawn.computeIfAbsent(order.date(), _ -> new ArrayList<>()).add(order);
        }
      }
    }
    while (drawn.size() > days) {
      drawn.pollFirstEntry();
    }
    var orders = new ArrayList<NamedOrder>();
    for (List<DayOrder> each : drawn.values()) {
      int count = aDay == 0 ? each.size() : Math.min(aDay, each.size());
      int first = orders.size() % each.size(); // another day, other instruments
      for (int i = 0; i < count; i++) {
        Order order = each.get((first + i) % each.size()).between(start, end);
        String id = "%s-%d".formatted(order.date(), i + 1);
        orders.add(new NamedOrder(id, order, "generated order " + id));
      }
    }
    if (orders.isEmpty()) {
      throw new DataException(where, "a day with a price and volume", "none");
    }
    return orders;
  }
}
