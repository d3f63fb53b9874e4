package io.tranche.market.order;

import io.tranche.market.DataException;
import java.util.Collection;
import java.util.List;

/// What was read from order files.
///
/// @param orders of the rows that are orders
/// @param faults one for each row that is none: file, row, rule and value
public record ReadOrders(List<NamedOrder> orders, List<DataException> faults) {

  /// How many faults a message names; a file of another kind has thousands.
  private static final int SHOWN = 20;

  public ReadOrders {
    orders = List.copyOf(orders);
    faults = List.copyOf(faults);
  }

  /// @throws DataException naming the rows that are no orders, if there are any
  public List<NamedOrder> allGood() {
    List<String> messages =
        faults.stream().map(fault -> String.valueOf(fault.getMessage())).distinct().toList();
    if (messages.size() == 1) {
      throw faults.getFirst();
    }
    if (!messages.isEmpty()) {
      throw refusal("orders that can be read", messages, orders.size() + faults.size());
    }
    return orders;
  }

  /// Returns the error that names up to 20 bad rows and counts the others.
  public static DataException refusal(String expected, Collection<String> faults, long rows) {
    var shown = new StringBuilder();
    faults.stream().limit(SHOWN).forEach(fault -> shown.append("\n  ").append(fault));
    if (faults.size() > SHOWN) {
      shown.append("\n  and %d more".formatted(faults.size() - SHOWN));
    }
    return new DataException(
        "orders", expected, "%d of %d rows that cannot:%s".formatted(faults.size(), rows, shown));
  }
}
