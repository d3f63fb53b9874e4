package io.tranche.run.play;

import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.NamedOrder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Orders that were checked before the first of them is executed.
///
/// @param orders those that can be executed
/// @param faults one per row that cannot: file, row, rule and value
public record CheckedOrders(List<Order> orders, List<String> faults) {

  /// How many faults a message names; a file of other bars has thousands.
  private static final int SHOWN = 20;

  public CheckedOrders {
    orders = List.copyOf(orders);
    faults = List.copyOf(faults);
  }

  /// Checks orders. A row that stands for several orders, such as both sides, is checked once.
  ///
  /// @param check throws a [DataException] if an order cannot be executed
  /// @param skipsBad whether the others are taken nevertheless
  /// @throws DataException naming each row that cannot be executed, unless they are skipped; or if
  ///   none can
  public static CheckedOrders of(List<NamedOrder> placed, Consumer<Order> check, boolean skipsBad) {
    var good = new ArrayList<Order>();
    var faults = new LinkedHashSet<String>();
    String last = "";
    boolean isBad = false;
    for (NamedOrder each : placed) {
      if (!Objects.equals(each.place(), last)) {
        last = each.place();
        String fault = fault(each, check);
        isBad = fault != null;
        if (fault != null) {
          faults.add(fault);
        }
      }
      if (!isBad) {
        good.add(each.order());
      }
    }
    if (!faults.isEmpty() && (!skipsBad || good.isEmpty())) {
      throw refusal(placed, faults);
    }
    return new CheckedOrders(good, List.copyOf(faults));
  }

  private static @Nullable String fault(NamedOrder placed, Consumer<Order> check) {
    try {
      check.accept(placed.order());
      return null;
    } catch (DataException e) {
      return "%s: %s".formatted(placed.place(), e.getMessage());
    }
  }

  private static DataException refusal(List<NamedOrder> placed, Set<String> faults) {
    long rows = placed.stream().map(NamedOrder::place).distinct().count();
    var shown = new StringBuilder();
    faults.stream().limit(SHOWN).forEach(fault -> shown.append("\n  ").append(fault));
    if (faults.size() > SHOWN) {
      shown.append("\n  and %d more".formatted(faults.size() - SHOWN));
    }
    return new DataException(
        "orders",
        "orders that can be run (--skip-bad leaves the others out)",
        "%d of %d rows that cannot:%s".formatted(faults.size(), rows, shown));
  }
}
