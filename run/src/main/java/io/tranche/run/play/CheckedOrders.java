package io.tranche.run.play;

import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.order.ReadOrders;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Orders that were checked before the first of them is executed.
///
/// @param named those that can be executed
/// @param faults one per row that cannot: file, row, rule and value
public record CheckedOrders(List<NamedOrder> named, List<String> faults) {

  public CheckedOrders {
    named = List.copyOf(named);
    faults = List.copyOf(faults);
  }

  /// Checks orders. A row that is none is a fault too; a row that stands for several orders, such
  /// as both sides, is checked once.
  ///
  /// @param check throws a [DataException] if an order cannot be executed
  /// @param skipsBad whether the others are taken nevertheless
  /// @throws DataException naming each row that cannot be executed, unless they are skipped; or if
  ///   none can
  public static CheckedOrders of(ReadOrders read, Consumer<Order> check, boolean skipsBad) {
    var good = new ArrayList<NamedOrder>();
    var faults = new LinkedHashSet<String>();
    read.faults().forEach(fault -> faults.add(String.valueOf(fault.getMessage())));
    String last = "";
    boolean isBad = false;
    for (NamedOrder each : read.orders()) {
      if (!Objects.equals(each.place(), last)) {
        last = each.place();
        String fault = fault(each, check);
        isBad = fault != null;
        if (fault != null) {
          faults.add(fault);
        }
      }
      if (!isBad) {
        good.add(each);
      }
    }
    if (!faults.isEmpty() && (!skipsBad || good.isEmpty())) {
      long rows = read.orders().stream().map(NamedOrder::place).distinct().count();
      throw ReadOrders.refusal(
          "orders that can be run (--skip-bad leaves the others out)",
          faults,
          rows + read.faults().size());
    }
    return new CheckedOrders(good, List.copyOf(faults));
  }

  public List<Order> orders() {
    return named.stream().map(NamedOrder::order).toList();
  }

  private static @Nullable String fault(NamedOrder placed, Consumer<Order> check) {
    try {
      check.accept(placed.order());
      return null;
    } catch (DataException e) {
      return "%s: %s".formatted(placed.place(), e.getMessage());
    }
  }
}
